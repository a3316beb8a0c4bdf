// Decodes whole pictures, by a quick decoder where there is one.
#include "astc/decode/decode_image.h"

#include <algorithm>
#include <array>
#include <string>

#include "astc/decode/decode_hdr_row.h"
#include "astc/decode/decode_ldr_row.h"
#include "astc/decode/reference_decode.h"
#include "astc/decode/texel_samples.h"
#include "astc/format/block128.h"

namespace tessera::astc {
namespace {

// Browsers have to load what is compiled, and ask for 8 bits.
#ifdef TESSERA_SMALL_CODE
constexpr bool kDecodesHalves = false;
#else
constexpr bool kDecodesHalves = true;
#endif

// Where a block lies in the image; `slice` is that of its first texel layer.
struct BlockPlace {
  uint32_t x;
  uint32_t y;
  uint32_t slice;
  // Texels that are inside the picture.
  uint32_t width;
  uint32_t height;
  uint32_t depth;
};

template <typename Sample, typename Convert>
void write_texels(std::span<const Texel> texels, BlockSize size, const BlockPlace& place,
                  const MutableImageView& image, const Convert& convert) {
  for (uint32_t z = 0; z < place.depth; ++z) {
    for (uint32_t y = 0; y < place.height; ++y) {
      Sample* out = image.row<Sample>(place.y + y, place.slice + z) + size_t{place.x} * 4;
      const Texel* in = &texels[(z * size.height + y) * size.width];
      for (uint32_t x = 0; x < place.width; ++x, ++in) {
        for (const uint16_t value : in->rgba) {
          *out++ = convert(value);
        }
      }
    }
  }
}

void write_block(std::span<const Texel> texels, BlockSize size, DecodeMode mode,
                 const BlockPlace& place, const MutableImageView& image) {
  switch (image.info.sample) {
    case SampleType::kU8:
      return write_texels<uint8_t>(texels, size, place, image,
                                   [mode](uint16_t v) { return to_u8_sample(v, mode); });
    case SampleType::kU16:
      return write_texels<uint16_t>(texels, size, place, image,
                                    [mode](uint16_t v) { return to_u16_sample(v, mode); });
    case SampleType::kF16:
      return write_texels<uint16_t>(texels, size, place, image,
                                    [mode](uint16_t v) { return to_f16_sample(v, mode); });
    case SampleType::kF32:
      return write_texels<float>(texels, size, place, image,
                                 [mode](uint16_t v) { return to_f32_sample(v, mode); });
  }
}

void decode_block_row(ByteSpan row_blocks, BlockSize size, DecodeMode mode, BlockPlace place,
                      const MutableImageView& image) {
  std::array<Texel, kMaxBlockTexels> texels;
  const uint8_t* next = row_blocks.data();
  for (place.x = 0; place.x < image.info.width; place.x += size.width, next += kBlockBytes) {
    place.width = std::min<uint32_t>(size.width, image.info.width - place.x);
    decode_block(load_block(next), size, mode, texels);
    write_block(texels, size, mode, place, image);
  }
}

RowTarget row_target(const MutableImageView& image, const BlockPlace& place) {
  return {image.row<uint8_t>(place.y, place.slice),
          image.row_stride,
          image.slice_stride,
          image.info.width,
          place.height,
          place.depth};
}

}  // namespace

BlockCounts block_counts(const ImageInfo& info, BlockSize size) {
  const auto blocks = [](uint32_t extent, uint32_t block) {
    return static_cast<uint32_t>(divide_round_up(extent, block));
  };
  return {blocks(info.width, size.width), blocks(info.height, size.height),
          blocks(info.depth, size.depth), info.layers};
}

Result<uint64_t> payload_bytes(const ImageInfo& info, BlockSize size) {
  const BlockCounts counts = block_counts(info, size);
  auto total = checked_multiply(counts.x, kBlockBytes);
  for (const uint32_t factor : {counts.y, counts.z, counts.layers}) {
    total = total ? checked_multiply(*total, factor) : std::nullopt;
  }
  if (!total) {
    return invalid_error("the ASTC texture is too large");
  }
  return *total;
}

void decode_block_rows(ByteSpan blocks, BlockSize size, DecodeMode mode, uint64_t first_row,
                       uint64_t end_row, const MutableImageView& image) {
  const BlockCounts counts = block_counts(image.info, size);
  const size_t row_bytes = size_t{counts.x} * kBlockBytes;
  for (uint64_t row = first_row; row < end_row; ++row) {
    const auto block_y = static_cast<uint32_t>(row % counts.y);
    const auto block_z = static_cast<uint32_t>(row / counts.y % counts.z);
    const auto layer = static_cast<uint32_t>(row / counts.y / counts.z);
    BlockPlace place{};
    place.y = block_y * size.height;
    place.slice = layer * image.info.depth + block_z * size.depth;
    place.height = std::min<uint32_t>(size.height, image.info.height - place.y);
    place.depth = std::min<uint32_t>(size.depth, image.info.depth - block_z * size.depth);
    const ByteSpan row_blocks = blocks.subspan(static_cast<size_t>(row) * row_bytes, row_bytes);
    if (image.info.sample == SampleType::kU8 && mode != DecodeMode::kHdr) {
      decode_ldr_row(row_blocks.data(), size, mode, row_target(image, place));
    } else if (kDecodesHalves && image.info.sample == SampleType::kF16 &&
               mode == DecodeMode::kHdr) {
      decode_hdr_row(row_blocks.data(), size, row_target(image, place));
    } else {
      decode_block_row(row_blocks, size, mode, place, image);
    }
  }
}

Result<Image> decode_image(ByteSpan blocks, const ImageInfo& info, BlockSize size,
                           DecodeMode mode) {
  if (!block_size_index(size)) {
    return invalid_error("ASTC has no block size of " + block_size_name(size));
  }
  TESSERA_ASSIGN_OR_RETURN(const uint64_t expected, payload_bytes(info, size));
  if (blocks.size() != expected) {
    return invalid_error("the ASTC payload has " + std::to_string(blocks.size()) +
                         " bytes; its extents need " + std::to_string(expected));
  }
  ImageInfo image_info = info;
  image_info.channels = 4;
  image_info.color_space = mode == DecodeMode::kSrgb ? ColorSpace::kSrgb : ColorSpace::kLinear;
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(image_info));
  decode_block_rows(blocks, size, mode, 0, block_counts(image_info, size).rows(),
                    image.mutable_view());
  return image;
}

}  // namespace tessera::astc
