// Chooses patches and copies them together.
#include "codec/sampled_picture.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"

namespace tessera {
namespace {

constexpr uint32_t kPatchSide = 24;  // texels: room for some windows of SSIM
constexpr uint32_t kPatchesAcross = 8;
constexpr uint32_t kBlocksDeep = 2;  // of blocks of 3D

uint32_t round_up_to(uint32_t value, uint32_t unit) {
  return static_cast<uint32_t>(divide_round_up(value, unit)) * unit;
}

// Spreads numbers over all 32 bits, so that patches do not follow the picture's own rhythm.
uint32_t scatter(uint32_t number) {
  number = (number ^ (number >> 16)) * 0x7feb352dU;
  number = (number ^ (number >> 15)) * 0x846ca68bU;
  return number ^ (number >> 16);
}

}  // namespace

Result<Image> sample_picture(const ImageView& picture, BlockSize block, uint32_t patches) {
  const ImageInfo& info = picture.info;
  const uint32_t width = round_up_to(kPatchSide, block.width);
  const uint32_t height = round_up_to(kPatchSide, block.height);
  // A patch of several slices counts as as many.
  const uint32_t depth = block.is_3d() ? kBlocksDeep * block.depth : 1;
  const uint32_t count = round_up_to(std::max(patches / depth, 1U), kPatchesAcross);
  if (info.width < width || info.height < height || info.slices() < depth ||
      uint64_t{count} * width * height * depth * 2 >= info.pixel_count()) {
    return Image();
  }
  // Places lie a block apart, and a patch lies within the picture.
  const uint64_t across = (info.width - width) / block.width + 1;
  const uint64_t down = (info.height - height) / block.height + 1;
  const uint64_t places = across * down * ((info.slices() - depth) / block.depth + 1);
  ImageInfo sample = info;
  sample.width = width * kPatchesAcross;
  sample.height = height * (count / kPatchesAcross);
  sample.depth = depth;
  sample.layers = 1;
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(sample));
  const size_t pixel = info.pixel_bytes();
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t first = places * i / count;
    const uint64_t room = places * (i + 1) / count - first;
    const uint64_t place = first + (room > 1 ? scatter(i) % room : 0);
    const auto x = static_cast<uint32_t>(place % across) * block.width;
    const auto y = static_cast<uint32_t>(place / across % down) * block.height;
    const auto first_slice = static_cast<uint32_t>(place / across / down) * block.depth;
    for (uint32_t line = 0; line < height * depth; ++line) {
      const uint32_t row = line % height, slice = line / height;
      std::memcpy(image.row<uint8_t>(i / kPatchesAcross * height + row, slice) +
                      i % kPatchesAcross * width * pixel,
                  picture.row<uint8_t>(y + row, first_slice + slice) + x * pixel, width * pixel);
    }
  }
  return image;
}

}  // namespace tessera
