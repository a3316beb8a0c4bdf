// Reads pixels without a header.
#include "image/raw_pixels.h"

#include <cstring>
#include <optional>

#include "base/sides.h"

namespace tessera {
namespace {

std::string size_text(const ImageInfo& info) {
  return std::to_string(info.width) + "x" + std::to_string(info.height) + "x" +
         std::to_string(info.depth);
}

// Of one image of these extents and samples, without gaps; nothing where it does not fit 64 bits.
std::optional<uint64_t> raw_bytes(const ImageInfo& info) {
  std::optional<uint64_t> bytes = info.pixel_bytes();
  for (const uint64_t factor : {info.width, info.height, info.depth, info.layers}) {
    bytes = bytes ? checked_multiply(*bytes, factor) : std::nullopt;
  }
  return bytes;
}

}  // namespace

Status parse_raw_size(std::string_view text, ImageInfo& info) {
  const auto sides = parse_sides(text, UINT32_MAX);
  if (!sides) {
    return usage_error("'" + std::string(text) + "' is not a size in pixels, such as 64x64x32");
  }
  info.width = (*sides)[0];
  info.height = (*sides)[1];
  info.depth = (*sides)[2];
  return {};
}

Result<Image> image_of_raw_pixels(ByteSpan bytes, const ImageInfo& info, const std::string& name) {
  const auto expected = raw_bytes(info);
  if (!expected || *expected != bytes.size()) {
    return invalid_error(name + " has " + std::to_string(bytes.size()) + " bytes, but " +
                         size_text(info) + " pixels of " + std::to_string(info.pixel_bytes()) +
                         " bytes are " +
                         (expected ? std::to_string(*expected) : std::string("more than 2^64")));
  }
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(info));
  const size_t row_bytes = info.width * info.pixel_bytes();
  const uint8_t* from = bytes.data();
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y, from += row_bytes) {
      std::memcpy(image.row<uint8_t>(y, slice), from, row_bytes);
    }
  }
  return image;
}

}  // namespace tessera
