// Memory of the module and what its calls leave in it.
#include "reply.h"

#include <cstdlib>
#include <cstring>

#include "image/convert.h"
#include "tessera/tessera.h"

namespace tessera::web {

Reply& reply() {
  static Reply instance;
  return instance;
}

tessera_error& last_error() {
  static tessera_error error;
  return error;
}

void reply_with(const Json& json) {
  reply().text = json.text();
}

Status reply_with_pixels(Image image) {
  if (image.info().sample != SampleType::kU8) {
    TESSERA_ASSIGN_OR_RETURN(image, convert_samples(image.view(), SampleType::kU8));
  }
  if (image.info().channels != 4) {
    TESSERA_ASSIGN_OR_RETURN(image, convert_channels(image.view(), 4));
  }
  const size_t row_bytes = size_t{image.width()} * 4;
  uint8_t* const first = image.row<uint8_t>(0);
  for (uint32_t y = 1; y < image.height() && image.row_stride() != row_bytes; ++y) {
    std::memmove(first + y * row_bytes, image.row<uint8_t>(y), row_bytes);
  }
  reply().image = std::move(image);
  return {};
}

}  // namespace tessera::web

using tessera::web::last_error;
using tessera::web::reply;

// 0 where there is no such memory.
TESSERA_EXPORT(tessera_web_allocate) void* tessera_web_allocate(uint32_t bytes) {
  constexpr uint32_t kAlignment = 64;
  constexpr uint32_t kMost = UINT32_MAX - kAlignment;
  if (bytes > kMost) {
    return nullptr;
  }
  return std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

TESSERA_EXPORT(tessera_web_release) void tessera_web_release(void* memory) {
  std::free(memory);
}

TESSERA_EXPORT(tessera_web_error) const char* tessera_web_error() {
  return last_error().message;
}

TESSERA_EXPORT(tessera_web_text) const char* tessera_web_text() {
  return reply().text.c_str();
}

TESSERA_EXPORT(tessera_web_bytes) const uint8_t* tessera_web_bytes() {
  return reply().image.empty() ? reply().bytes.data() : reply().image.row<uint8_t>(0);
}

TESSERA_EXPORT(tessera_web_byte_count) uint32_t tessera_web_byte_count() {
  const tessera::Image& image = reply().image;
  return static_cast<uint32_t>(image.empty() ? reply().bytes.size()
                                             : size_t{image.width()} * image.height() * 4);
}

// Gives the reply's memory back.
TESSERA_EXPORT(tessera_web_clear) void tessera_web_clear() {
  reply() = {};
}

TESSERA_EXPORT(tessera_web_version) const char* tessera_web_version() {
  return tessera_version();
}
