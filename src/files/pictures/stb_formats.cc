// Reads checked TGA and BMP files with stb_image.
#include "files/pictures/stb_formats.h"

#include <climits>
#include <cstring>
#include <memory>
#include <string_view>

#include "files/pictures/decode_error.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_SIMD
#ifdef __GNUC__
// Only stbi_load_from_memory and two small functions are called.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image.h>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

namespace tessera {
namespace {

struct FreePixels {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

}  // namespace

Status check_stb_size(const std::string& name, uint64_t file_bytes, uint64_t width,
                      uint64_t height) {
  if (file_bytes > INT_MAX || width * height > INT_MAX / 4) {
    return unsupported_content(name, "TGA and BMP files of 2 GiB and more cannot be read");
  }
  return {};
}

Result<Image> decode_with_stb(ByteSpan bytes, const std::string& name, const ImageInfo& info,
                              const MemoryNeed& beside, const ReadBudget& budget) {
  MemoryNeed need = beside;
  need.scratch += info.pixel_count() * 4;  // the library's pixels, with alpha that is not wanted
  TESSERA_ASSIGN_OR_RETURN(Image image, create_decoded_image(name, info, need, budget));
  int width = 0;
  int height = 0;
  int channels = 0;
  const std::unique_ptr<stbi_uc, FreePixels> pixels(
      stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height,
                            &channels, static_cast<int>(info.channels)));
  if (pixels == nullptr) {
    const std::string_view reason = stbi_failure_reason();
    if (reason == "outofmem") {
      return failed_error("cannot decode " + name + ": not enough memory");
    }
    return invalid_content(name, "its content is damaged (" + std::string(reason) + ")");
  }
  if (static_cast<uint32_t>(width) != info.width || static_cast<uint32_t>(height) != info.height) {
    return invalid_content(name, "its header says two different sizes");
  }
  const size_t row_bytes = image.width() * info.pixel_bytes();
  for (uint32_t y = 0; y < image.height(); ++y) {
    std::memcpy(image.row<uint8_t>(y), pixels.get() + y * row_bytes, row_bytes);
  }
  return image;
}

}  // namespace tessera
