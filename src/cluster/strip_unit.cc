// A strip of an image as a unit of work: what its message says, and encoding it on another rank.
#include "cluster/strip_unit.h"

#include <chrono>
#include <string>

namespace tessera::cluster {
namespace {

using Clock = std::chrono::steady_clock;

uint64_t pixel_field(uint32_t channels, SampleType sample) {
  return channels | uint64_t{static_cast<uint8_t>(sample)} << 8;
}

TextureInfo texture_of(const TextureInfo& format, uint32_t width, uint32_t height, uint32_t depth) {
  TextureInfo info = format;
  info.width = width;
  info.height = height;
  info.depth = depth;
  return info;
}

// Encodes an image that is neither flat nor noise.
Status encode_pattern(const BlockEncoder& encoder, uint32_t width, uint32_t height,
                      Backend& backend, const RunControl& control) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.channels = encoder.input_channels({});
  info.sample = encoder.input_sample();
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(info));
  const size_t row_bytes = width * info.pixel_bytes();
  for (uint32_t y = 0; y < height && info.sample == SampleType::kU8; ++y) {
    for (size_t x = 0; x < row_bytes; ++x) {
      image.row<uint8_t>(y)[x] = static_cast<uint8_t>(x * 37 + y * y * 11);
    }
  }
  Bytes blocks(encoder.output_bytes(info));
  return encoder.encode(image.view(), backend, control, blocks);
}

std::string strip_name(uint64_t width, uint64_t height) {
  return "a strip of " + std::to_string(width) + "x" + std::to_string(height) + " pixels";
}

}  // namespace

std::array<uint64_t, 6> strip_fields(const ImageView& pixels, ImageFacts facts, bool srgb) {
  const ImageInfo& info = pixels.info;
  // Slices behind the first one, and the profile in the lowest bit.
  const uint64_t depth_and_profile = ((info.depth - uint64_t{1}) << 1) | (srgb ? 1U : 0U);
  return {info.width, info.height,      pixels.row_stride, pixel_field(info.channels, info.sample),
          facts,      depth_and_profile};
}

bool is_srgb_strip(const UnitHeader& header) {
  return (header.fields[5] & 1) != 0;
}

size_t strip_message_bytes(const ImageView& pixels) {
  const ImageInfo& info = pixels.info;
  const size_t rows = size_t{info.height} * info.depth;
  return (rows - 1) * pixels.row_stride + info.width * info.pixel_bytes();
}

Result<StripShape> read_strip_shape(const UnitHeader& header, const BlockEncoder& encoder,
                                    const TextureInfo& format) {
  const auto& [width, height, stride, pixel, facts, depth_and_profile] = header.fields;
  const uint64_t more_slices = depth_and_profile >> 1;
  const bool may_be_deep = format.block.is_3d() && more_slices < UINT32_MAX;
  if (header.kind != kStripKind || (more_slices != 0 && !may_be_deep)) {
    return invalid_error("a rank was sent a unit of an unknown kind");
  }
  if (pixel != pixel_field(encoder.input_channels({}), encoder.input_sample())) {
    return invalid_error("a strip has pixels that the encoder does not take");
  }
  if (width == 0 || height == 0 || width > UINT32_MAX || height > UINT32_MAX) {
    return invalid_error(strip_name(width, height) + " is impossible");
  }
  const uint64_t row = width * encoder.input_channels({}) * sample_bytes(encoder.input_sample());
  const uint64_t rows = height * (more_slices + 1);  // both are below 2^32
  const auto before_last = checked_multiply(rows - 1, stride);
  if (stride < row || !before_last || *before_last > kMaxMessageBytes ||
      *before_last + row != header.input_bytes) {
    return invalid_error(strip_name(width, height) + " does not have " +
                         std::to_string(header.input_bytes) + " bytes");
  }
  const TextureInfo texture =
      texture_of(format, static_cast<uint32_t>(width), static_cast<uint32_t>(height),
                 static_cast<uint32_t>(more_slices + 1));
  TESSERA_ASSIGN_OR_RETURN(const uint64_t payload, level_bytes(texture, 0));
  if (payload != header.output_bytes) {
    return invalid_error(strip_name(width, height) + " does not become " +
                         std::to_string(header.output_bytes) + " bytes");
  }
  return StripShape{texture.width, texture.height, texture.depth, stride, facts};
}

Status encode_strip(const UnitHeader& header, ByteSpan input, const BlockEncoder& encoder,
                    const TextureInfo& format, Backend& backend, const RunControl& control,
                    Bytes& output) {
  TESSERA_ASSIGN_OR_RETURN(const StripShape shape, read_strip_shape(header, encoder, format));
  ImageView pixels;
  pixels.data = input.data();
  pixels.info.width = shape.width;
  pixels.info.height = shape.height;
  pixels.info.depth = shape.depth;
  pixels.info.channels = encoder.input_channels({});
  pixels.info.sample = encoder.input_sample();
  pixels.row_stride = shape.row_stride;
  pixels.slice_stride = shape.row_stride * shape.height;
  output.resize(header.output_bytes);
  return encoder.encode_part(pixels, shape.facts, backend, control, output);
}

void warm_up(const BlockEncoder& encoder, Backend& backend, const RunControl& control) {
  constexpr uint32_t kLeastSide = 32;  // pixels: a few blocks of any size
  constexpr uint32_t kMostSide = 512;
  constexpr auto kEnough = std::chrono::milliseconds(2);
  for (uint32_t side = kLeastSide; side <= kMostSide; side *= 2) {
    const auto start = Clock::now();
    if (!encode_pattern(encoder, side, side * backend.thread_count(), backend, control) ||
        Clock::now() - start > kEnough) {
      return;
    }
  }
}

}  // namespace tessera::cluster
