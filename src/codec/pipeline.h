// The whole way in memory: from a picture to the bytes of a texture file, and back. Read
// pipeline.cc to see it as a list of calls; src/files adds reading and writing of files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/read_budget.h"
#include "base/result.h"
#include "codec/codec.h"
#include "containers/texture_file.h"
#include "exec/backend.h"
#include "image/image.h"
#include "image/metrics.h"
#include "image/normal_map.h"
#include "image/swizzle.h"

namespace tessera {

// Of files that are textures, to be made into other textures.
struct SourceTextures {
  std::optional<Profile> profile;  // how they are read; empty: as they say
  bool keep_profile = true;        // sRGB stays sRGB, whatever the settings say
};

// What is to be made of a picture.
struct EncodePlan {
  const Codec* codec = nullptr;
  CodecSettings settings;
  ContainerType container = ContainerType::kDds;
  ContainerOptions container_options;
  Swizzle swizzle;      // normal maps have their own
  bool linear = false;  // the picture's samples are linear light (or no light at all), not sRGB
  bool mips = false;
  bool metrics = false;  // decode what was encoded and measure it
  std::string use;       // what the picture is for (picture_use.h); its settings are in the others
  std::optional<SourceTextures> source;  // empty: the files are pictures
};

struct EncodeReport {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t channels = 0;  // that were encoded
  size_t level_count = 1;
  uint64_t encoded_pixels = 0;  // of all levels
  double encode_seconds = 0;    // the encoder alone: after loading, before writing
  size_t file_bytes = 0;
  bool alpha_dropped = false;  // the picture had alpha that the format or method cannot keep
  std::optional<Metrics> metrics;
  std::optional<AngularError> angular_error;  // of normal maps, with the metrics
};

// Whether the codec, its settings and the container go together: all that can be known without a
// picture.
Status check_encode_plan(const EncodePlan& plan);

struct EncodedFile {
  EncodeReport report;
  LargeBytes bytes;  // in the plan's container
};
Result<EncodedFile> encode_picture(const ImageView& picture, const EncodePlan& plan,
                                   Backend& backend, const RunControl& control);

// The bytes of a texture file as another one, level by level: all levels that there are, or, of a
// texture of one level, all that the plan asks for. `name` is used in messages.
Result<EncodedFile> transcode_texture(ByteSpan bytes, const std::string& name,
                                      const EncodePlan& plan, Backend& backend,
                                      const RunControl& control, const ReadBudget& budget);

// What is wanted of a texture.
struct TextureChoice {
  uint32_t level = 0;
  std::optional<uint32_t> slice = {};  // of the level; empty: all of them
  bool is_one_slice = false;           // it is an error when there are several and none is chosen
};

struct DecodedTexture {
  Image image;
  TextureInfo texture;
  size_t level_count = 1;
  double decode_seconds = 0;  // the decoder alone
};
// The bytes of a texture file. Of the options, the format takes those that it knows. `name` is used
// in messages.
Result<DecodedTexture> decode_texture(ByteSpan bytes, const std::string& name,
                                      const TextureChoice& choice, const DecodeOptions& options,
                                      Backend& backend, const RunControl& control,
                                      const ReadBudget& budget);

// About how many bytes of memory encoding takes for a picture of so many pixels, besides the
// picture itself.
uint64_t encode_memory(const EncodePlan& plan, uint64_t pixels);

// The stages of encode_picture.

// A picture as the encoder takes it: swizzled, with its sample type and channels.
struct PreparedImage {
  Image image;
  bool alpha_dropped = false;
};
Result<PreparedImage> prepare_image(const ImageView& picture, const EncodePlan& plan,
                                    const Encoder& encoder);

// Makes the mip levels, encodes, measures and writes the container.
Result<EncodedFile> encode_prepared(const PreparedImage& prepared, const EncodePlan& plan,
                                    const Encoder& encoder, Backend& backend,
                                    const RunControl& control);

// The same with levels that have been made, largest first.
Result<EncodedFile> encode_prepared_levels(const std::vector<ImageView>& levels, bool alpha_dropped,
                                           const EncodePlan& plan, const Encoder& encoder,
                                           Backend& backend, const RunControl& control);

struct EncodedTexture {
  Texture texture;
  double encode_seconds = 0;
};

// Encodes `levels` (largest first) of prepared images.
Result<EncodedTexture> encode_levels(const std::vector<ImageView>& levels, const Codec& codec,
                                     const CodecSettings& settings, const Encoder& encoder,
                                     Backend& backend, const RunControl& control);

// What the encoded texture is, of an image or a texture with such extents.
template <class Extents>
TextureInfo encoded_info(const Extents& extents, const Codec& codec,
                         const CodecSettings& settings) {
  TextureInfo info;
  info.format = codec.format();
  info.block = codec.block_of(settings);
  info.srgb = settings.profile == Profile::kSrgb;
  info.width = extents.width;
  info.height = extents.height;
  info.depth = extents.depth;
  info.layers = extents.layers;
  return info;
}

// Whether the largest level of a texture may be decoded, before memory is taken for it.
Status check_decoded_size(const TextureIndex& index, SampleType sample, const std::string& name,
                          uint64_t file_bytes, const ReadBudget& budget);

// kInterrupted when the control says so.
Status check_cancelled(const RunControl& control);

}  // namespace tessera
