// The whole way from file to file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "codec/codec.h"
#include "containers/texture_file.h"
#include "exec/backend.h"
#include "image/image.h"
#include "image/metrics.h"
#include "image/normal_map.h"
#include "image/swizzle.h"
#include "imageio/image_file.h"

namespace tessera {

struct EncodeJob {
  std::string input;   // a path, or "-"
  std::string output;  // a path, or "-"
  ContainerType container = ContainerType::kDds;
  ContainerOptions container_options;
  const Codec* codec = nullptr;
  CodecSettings settings;
  Swizzle swizzle;
  bool linear = false;  // the input's samples are linear light (or no light at all), not sRGB
  bool mips = false;
  bool metrics = false;  // decode what was encoded and measure it
  // Normal maps: x and y are stored as luminance and alpha (the swizzle does that); tells that the
  // metrics are to include the angle between normals.
  bool normal_map = false;
};

struct EncodeReport {
  uint32_t width = 0;
  uint32_t height = 0;
  size_t level_count = 1;
  uint64_t encoded_pixels = 0;  // of all levels
  double encode_seconds = 0;    // the encoder alone: after loading, before writing
  size_t file_bytes = 0;
  bool alpha_dropped = false;  // the input had alpha that the format or method cannot keep
  std::optional<Metrics> metrics;
  std::optional<AngularError> angular_error;  // of normal maps, with the metrics
};

// Whether the codec, its settings and the container go together: all that can be known without
// files.
Status check_encode_settings(const EncodeJob& job);

Result<EncodeReport> encode_file(const EncodeJob& job, Backend& backend, const RunControl& control);

// The same without writing: for who has another place for the file than job.output.
struct EncodedFile {
  EncodeReport report;
  Bytes bytes;
};
Result<EncodedFile> encode_to_memory(const EncodeJob& job, Backend& backend,
                                     const RunControl& control);

struct DecodeJob {
  std::string input;
  std::string output;
  ImageFileType type = ImageFileType::kPng;
  uint32_t level = 0;
  DecodeOptions options;
  std::optional<uint32_t> slice;  // of an array or a volume; needed when there are several
};

struct DecodeReport {
  ImageInfo image;
  TextureInfo texture;
  bool fractal = false;  // from a .tsf file, which is no texture
  double decode_seconds = 0;
  size_t file_bytes = 0;
};

Result<DecodeReport> decode_file(const DecodeJob& job, Backend& backend, const RunControl& control);

// The stages of encode_file, for callers that have images rather than files.

// As the encoder takes it: swizzled, with its sample type and channels.
Result<Image> prepare_image(const ImageView& source, const Swizzle& swizzle,
                            const Encoder& encoder);

struct EncodedTexture {
  Texture texture;
  double encode_seconds = 0;
};

// Encodes `levels` (largest first) of prepared images.
Result<EncodedTexture> encode_levels(const std::vector<ImageView>& levels, const Codec& codec,
                                     const CodecSettings& settings, const Encoder& encoder,
                                     Backend& backend, const RunControl& control);

}  // namespace tessera
