// What every format offers to the pipeline: an encoder made of checked settings, and a decoder.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/preset.h"
#include "base/result.h"
#include "codec/bc1_options.h"
#include "containers/texture.h"
#include "exec/backend.h"
#include "image/image.h"

namespace tessera {

// How samplers read a texture: as plain numbers, as sRGB, or with high dynamic range.
enum class Profile : uint8_t { kLdr, kSrgb, kHdr };

std::string_view profile_name(Profile profile);
std::optional<Profile> parse_profile(std::string_view name);

// Choices that ASTC alone has; what is empty is the preset's.
struct AstcOptions {
  std::optional<float> quality;  // 0…100, instead of a preset
  // Textures are meant for decoders that interpolate to 8 bits (decode_unorm8).
  bool unorm8 = false;
  std::string endpoints;   // pca, bounds, minmax or accumulate
  std::string partitions;  // off, moments, kmeans, kmeans++ or table
  std::array<float, 4> channel_weights = {1, 1, 1, 1};
  bool alpha_weight = false;  // errors of colours count by the texel's alpha
};

struct CodecSettings {
  BlockSize block;
  Preset preset = Preset::kMedium;
  std::string method;  // empty: the preset's
  Profile profile = Profile::kLdr;
  AstcOptions astc = {};
  Bc1Options bc1 = {};
};

struct DecodeOptions {
  // How to read a texture; by default as its file says, or ldr where it does not say.
  std::optional<Profile> profile;
  // ASTC, ldr: GPUs and tools differ in whether they interpolate to 16 bits (the standard's
  // default) or to 8 bits (the extension decode_unorm8).
  bool unorm8 = false;
  // BC1: how the colours between the ends are rounded.
  bc1::Rounding bc1_rounding = bc1::Rounding::kIdeal;
  SampleType sample = SampleType::kU8;
  // Fractal images: passes (default: as the file says), and 2 for twice the size.
  std::optional<uint32_t> fractal_iterations;
  uint32_t fractal_scale = 1;
};

// Settings that have been checked, ready to encode any number of images, from any thread.
class Encoder {
 public:
  virtual ~Encoder() = default;

  // The samples and channels that encode() takes; the pipeline converts to them.
  virtual SampleType input_sample() const = 0;
  virtual uint32_t input_channels() const = 0;
  virtual bool keeps_alpha() const = 0;

  // Of one mip level, all slices.
  virtual size_t output_bytes(const ImageInfo& image) const = 0;
  // `out` has output_bytes().
  virtual Status encode(const ImageView& image, Backend& backend, const RunControl& control,
                        std::span<uint8_t> out) const = 0;
};

class Codec {
 public:
  virtual ~Codec() = default;

  virtual TextureFormat format() const = 0;
  virtual BlockSize default_block() const = 0;
  virtual Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings& settings) const = 0;

  // One mip level, all slices. `payload` has the size that level_bytes() tells.
  virtual Result<Image> decode_level(const TextureInfo& info, uint32_t level, ByteSpan payload,
                                     const DecodeOptions& options, Backend& backend,
                                     const RunControl& control) const = 0;
};

}  // namespace tessera
