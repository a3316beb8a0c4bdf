// Pictures, encoding and decoding for the tests of the ASTC encoder.
#include "encoding.h"

#include <cmath>

#include "astc/decode/decode_image.h"
#include "image/convert.h"

namespace tessera::astc {

Image synthetic_rgba(SyntheticKind kind, uint32_t width, uint32_t height, uint32_t seed) {
  const Image image = make_synthetic_image(kind, width, height, seed).value();
  return convert_channels(image.view(), 4).value();
}

Image drawn_rgba(uint32_t width, uint32_t height,
                 const std::function<uint32_t(uint32_t, uint32_t)>& texel) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  Image image = Image::create(info).value();
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      image.row<uint32_t>(y)[x] = texel(x, y);
    }
  }
  return image;
}

Image drawn_volume(uint32_t width, uint32_t height, uint32_t depth,
                   const std::function<uint32_t(uint32_t, uint32_t, uint32_t)>& texel) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.depth = depth;
  Image image = Image::create(info).value();
  for (uint32_t z = 0; z < depth; ++z) {
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x) {
        image.row<uint32_t>(y, z)[x] = texel(x, y, z);
      }
    }
  }
  return image;
}

Bytes encode(const ImageView& image, BlockSize size, const EncodeSettings& settings) {
  Bytes blocks(payload_bytes(image.info, size).value());
  EncodeScratch scratch;
  const PictureFacts facts = look_at_picture(image, size, settings, scratch);
  const BlockCounts counts = block_counts(image.info, size);
  const size_t slice_bytes = size_t{counts.x} * counts.y * kBlockBytes;
  for (uint32_t slice = 0; slice < counts.z * counts.layers; ++slice) {
    encode_rows(image, size, slice, 0, counts.y, settings, facts, scratch,
                std::span(blocks).subspan(slice * slice_bytes, slice_bytes));
  }
  return blocks;
}

TableNeeds all_needs(BlockSize size) {
  return TableNeeds::of(preset_settings(Preset::kExhaustive, size), size);
}

const EncodeTables& all_tables(BlockSize size) {
  return encode_tables(size, all_needs(size));
}

SymbolicBlock block_at(const Bytes& blocks, size_t index, BlockSize size) {
  return unpack_block(load_block(blocks.data() + index * kBlockBytes), size);
}

double mean_squared_error(const ImageView& image, const Bytes& blocks, BlockSize size,
                          DecodeMode mode) {
  const Image decoded = decode_image(blocks, image.info, size, mode).value();
  double sum = 0;
  for (uint32_t row = 0; row < image.info.height * image.info.slices(); ++row) {
    const uint32_t y = row % image.info.height, slice = row / image.info.height;
    for (uint32_t i = 0; i < image.info.width * 4; ++i) {
      const int difference = image.row<uint8_t>(y, slice)[i] - decoded.row<uint8_t>(y, slice)[i];
      sum += difference * difference;
    }
  }
  return sum / (4.0 * static_cast<double>(image.info.pixel_count()));
}

double psnr(double mean_squared_error) {
  return mean_squared_error == 0 ? 999 : 10 * std::log10(255.0 * 255.0 / mean_squared_error);
}

}  // namespace tessera::astc
