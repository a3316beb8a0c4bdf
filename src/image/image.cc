// Sizes and memory of images.
#include "image/image.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "base/bytes.h"

namespace tessera {
namespace {

constexpr size_t kRowAlignment = 64;  // bytes: a cache line, a 512-bit vector
// Rows shorter than this follow each other without a gap: padding would multiply the memory of an
// image that is very thin and very high.
constexpr uint64_t kLeastPaddedRow = 256;          // bytes
constexpr uint32_t kMaxExtent = 1u << 24;          // texels per side; .astc headers end there too
constexpr uint64_t kMaxBytes = uint64_t{1} << 40;  // nothing honest is larger

}  // namespace

void ReleaseImageMemory::operator()(uint8_t* data) const {
  if (memory != nullptr) {
    memory->release(data, bytes);
  } else {
    std::free(heap_block);
  }
}

Image::Data Image::allocate(size_t bytes) {
  LargeMemory* const memory = current_large_memory();
  if (memory != nullptr && bytes >= memory->rules().least_image_bytes) {
    uint8_t* const data = memory->allocate(bytes);
    if (data != nullptr && !memory->rules().is_zeroed) {
      std::memset(data, 0, bytes);
    }
    if (data != nullptr || !memory->rules().has_heap_behind) {
      return Data(data, ReleaseImageMemory{memory, bytes});
    }
  }
  // Large pieces come from the system, with zeros in them that need not be written again.
  size_t room = bytes + kRowAlignment;
  void* const block = room > bytes ? std::calloc(room, 1) : nullptr;
  if (block == nullptr) {
    return nullptr;
  }
  void* data = block;
  std::align(kRowAlignment, bytes, data, room);
  return Data(static_cast<uint8_t*>(data), ReleaseImageMemory{nullptr, bytes, block});
}

Result<ImageLayout> layout_of(const ImageInfo& info, uint64_t most_bytes) {
  if (info.width == 0 || info.height == 0 || info.depth == 0 || info.layers == 0 ||
      info.channels < 1 || info.channels > 4) {
    return invalid_error("the image has no pixels");
  }
  if (info.width > kMaxExtent || info.height > kMaxExtent || info.depth > kMaxExtent ||
      info.layers > kMaxExtent) {
    return invalid_error("the image is larger than 2^24 pixels per side");
  }
  const uint64_t row_bytes = uint64_t{info.width} * info.pixel_bytes();
  const uint64_t row_stride = row_bytes < kLeastPaddedRow
                                  ? row_bytes
                                  : divide_round_up(row_bytes, kRowAlignment) * kRowAlignment;
  const auto slices = checked_multiply(info.depth, info.layers);
  const auto rows = checked_multiply(*slices, info.height);
  const auto bytes = rows ? checked_multiply(*rows, row_stride) : std::nullopt;
  if (!bytes || *bytes > std::min(kMaxBytes, most_bytes) || *slices > UINT32_MAX) {
    return invalid_error("the image is too large to hold in memory");
  }
  return ImageLayout{static_cast<size_t>(row_stride), static_cast<size_t>(*bytes)};
}

Result<Image> Image::create(const ImageInfo& info) {
  TESSERA_ASSIGN_OR_RETURN(const ImageLayout layout, layout_of(info));
  Image image;
  image.info_ = info;
  image.row_stride_ = layout.row_stride;
  image.data_ = allocate(layout.bytes);
  if (image.data_ == nullptr) {
    return failed_error("not enough memory for an image of " + std::to_string(info.width) + "x" +
                        std::to_string(info.height) + " pixels");
  }
  return image;
}

ImageView slice_view(const ImageView& image, uint32_t slice) {
  ImageView chosen = image;
  chosen.data += slice * image.slice_stride;
  chosen.info.depth = 1;
  chosen.info.layers = 1;
  chosen.info.faces = 1;
  return chosen;
}

Result<Image> copy_image(const ImageView& source) {
  TESSERA_ASSIGN_OR_RETURN(Image copy, Image::create(source.info));
  const size_t row_bytes = source.info.width * source.info.pixel_bytes();
  for (uint32_t slice = 0; slice < source.info.slices(); ++slice) {
    for (uint32_t y = 0; y < source.info.height; ++y) {
      std::memcpy(copy.row<uint8_t>(y, slice), source.row<uint8_t>(y, slice), row_bytes);
    }
  }
  return copy;
}

}  // namespace tessera
