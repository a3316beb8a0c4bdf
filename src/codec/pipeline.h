// The whole way in memory: from a picture to the bytes of a texture file, and back. Read
// pipeline.cc to see it as a list of calls; src/files adds reading and writing of files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/read_budget.h"
#include "base/result.h"
#include "codec/codec.h"
#include "codec/goals.h"
#include "containers/texture_file.h"
#include "exec/backend.h"
#include "image/image.h"
#include "image/metrics.h"
#include "image/mip_settings.h"
#include "image/normal_map.h"
#include "image/picture_edits.h"
#include "image/swizzle.h"
#include "image/tone_map.h"
#include "image/unusual_samples.h"

namespace tessera {

// Of files that are textures, to be made into other textures.
struct SourceTextures {
  std::optional<Profile> profile;  // how they are read; empty: as they say
  bool keep_profile = true;        // sRGB stays sRGB, whatever the settings say
  bool keep_payload = false;       // the blocks are moved into another container as they are
};

// What several pictures become together. A cube map may also be one picture, unfolded or a panorama
// (image/cube_map.h).
enum class PictureGroup : uint8_t { kNone, kVolume, kArray, kCube };

// What is to be made of a picture.
struct EncodePlan {
  const Codec* codec = nullptr;
  CodecSettings settings;
  ContainerType container = ContainerType::kDds;
  ContainerOptions container_options;
  Swizzle swizzle;      // normal maps have their own
  bool linear = false;  // the picture's samples are linear light (or no light at all), not sRGB
  bool mips = false;
  // For pictures of high dynamic range in formats or profiles that have none.
  std::optional<ToneMap> tone_map;
  MipSettings mip;  // how they are made
  // Pictures of level 1, 2, …, by their names; src/files reads them.
  std::vector<std::string> mip_files = {};
  bool metrics = false;  // decode what was encoded and measure it
  std::string use;       // what the picture is for (picture_use.h); its settings are in the others
  // Nobody has said how the texture is to be read: .ktx2 and .ktx files, which tell it to samplers,
  // follow the colour space of the picture (plan_for_picture).
  bool profile_is_open = false;
  std::optional<SourceTextures> source;  // empty: the files are pictures
  std::optional<ImageInfo>
      raw;  // what files without a header hold; empty: files tell it themselves
  PictureGroup group = PictureGroup::kNone;  // the pictures are parts of one texture
  std::optional<uint32_t> cube_size;         // of a panorama's faces; empty: a quarter of its width
  PictureEdits edits;
  EncodeGoals goals;  // decide the block size and the preset that the settings leave open
};

struct EncodeReport {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth = 1;
  uint32_t layers = 1;
  uint32_t faces = 1;     // 6: each six of the layers are a cube map
  uint32_t channels = 0;  // that were encoded
  size_t level_count = 1;
  uint64_t encoded_pixels = 0;  // of all levels
  double encode_seconds = 0;    // the encoder alone: after loading, before writing
  size_t file_bytes = 0;
  bool alpha_dropped = false;  // the picture had alpha that the format or method cannot keep
  UnusualSamples clamped;      // of float pictures
  std::optional<Metrics> metrics;
  std::optional<AngularError> angular_error;  // of normal maps, with the metrics
  std::optional<TextureInfo> kept;            // the texture whose payload was kept
  std::optional<ChosenSettings> chosen;       // by the plan's goals
  std::optional<ChosenRate> rate;             // where a size was asked for (--rdo-size)
  Profile profile = Profile::kLdr;            // of the texture
};

// Whether the codec, its settings and the container go together: all that can be known without a
// picture.
Status check_encode_plan(const EncodePlan& plan);

// The plan for one picture: what was left open is as the picture is.
EncodePlan plan_for_picture(const EncodePlan& plan, const ImageInfo& picture);

struct EncodedFile {
  EncodeReport report;
  LargeBytes bytes;  // in the plan's container
};
Result<EncodedFile> encode_picture(const ImageView& picture, const EncodePlan& plan,
                                   Backend& backend, const RunControl& control);

// The bytes of a texture file as another one, level by level: all levels that there are, or, of a
// texture of one level, all that the plan asks for; or with its payload as it is. `name` is used in
// messages.
Result<EncodedFile> transcode_texture(ByteSpan bytes, const std::string& name,
                                      const EncodePlan& plan, Backend& backend,
                                      const RunControl& control, const ReadBudget& budget);

// What is wanted of a texture.
struct TextureRequest {
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
                                      const TextureRequest& request, const DecodeOptions& options,
                                      Backend& backend, const RunControl& control,
                                      const ReadBudget& budget);

// About how many bytes of memory encoding takes for such a picture, besides the picture itself.
uint64_t encode_memory(const EncodePlan& plan, const MemoryNeed& picture);

// The stages of encode_picture, which take the picture's own plan (plan_for_picture) and an encoder
// of its settings.

// A picture as the encoder takes it: swizzled, with its sample type and channels.
struct PreparedImage {
  Image image;
  bool alpha_dropped = false;
  UnusualSamples clamped = {};  // of float pictures
};
Result<PreparedImage> prepare_image(const ImageView& picture, const EncodePlan& plan,
                                    const Encoder& encoder);

// A picture with all that its encoding takes.
struct PictureToEncode {
  EncodePlan plan;                   // the picture's own
  std::unique_ptr<Encoder> encoder;  // of the plan's settings
  PreparedImage prepared;
};
Result<PictureToEncode> prepare_picture(const ImageView& picture, const EncodePlan& plan);

// The levels that the plan asks for, largest first.
struct PictureLevels {
  std::vector<Image> made;       // mip levels below the prepared ones
  std::vector<ImageView> views;  // of all; they need the prepared images, too
};
Result<PictureLevels> make_levels(const PreparedImage& prepared, const EncodePlan& plan,
                                  std::span<const PreparedImage> own_levels = {});

// Makes the mip levels below the prepared ones, encodes, measures and writes the container.
// `own_levels` are the levels 1, 2, … that have pictures of their own.
Result<EncodedFile> encode_prepared(const PreparedImage& prepared, const EncodePlan& plan,
                                    const Encoder& encoder, Backend& backend,
                                    const RunControl& control,
                                    std::span<const PreparedImage> own_levels = {});

// The same with levels that have been made, largest first.
Result<EncodedFile> encode_prepared_levels(const std::vector<ImageView>& levels, bool alpha_dropped,
                                           const EncodePlan& plan, const Encoder& encoder,
                                           Backend& backend, const RunControl& control);

struct EncodedTexture {
  Texture texture;
  double encode_seconds = 0;
  std::optional<ChosenRate> rate = {};  // where a size was asked for
};

// Encodes `levels` (largest first) of prepared images. `rate`: that of larger levels, where the
// first of these is not the largest one.
Result<EncodedTexture> encode_levels(const std::vector<ImageView>& levels, const Codec& codec,
                                     const CodecSettings& settings, const Encoder& encoder,
                                     Backend& backend, const RunControl& control,
                                     const std::optional<ChosenRate>& rate = {});

// The largest level of what was encoded of `prepared`, decoded to samples of the same type.
Result<Image> decode_to_measure(const EncodedTexture& encoded, const ImageView& prepared,
                                const EncodePlan& plan, Backend& backend,
                                const RunControl& control);

// Decodes the largest level of what was encoded of `prepared` and puts its metrics into the report;
// `ssim` says whether that is wanted, which takes most of the time.
Status measure_encoded(const EncodedTexture& encoded, const ImageView& prepared,
                       const EncodePlan& plan, bool ssim, Backend& backend,
                       const RunControl& control, EncodeReport& report);

// The file of a texture, with the report of what is not in it yet.
Result<EncodedFile> write_encoded(const EncodedTexture& encoded,
                                  const std::vector<ImageView>& levels, const EncodePlan& plan,
                                  EncodeReport report);

// What the encoded texture is, of an image or a texture with such extents.
template <class Extents>
TextureInfo encoded_info(const Extents& extents, const Codec& codec,
                         const CodecSettings& settings) {
  TextureInfo info;
  info.format = codec.format();
  info.block = codec.block_of(settings);
  info.srgb = settings.profile == Profile::kSrgb;
  info.hdr = is_hdr(settings.profile);
  info.width = extents.width;
  info.height = extents.height;
  info.depth = extents.depth;
  info.layers = extents.layers;
  info.faces = extents.faces;
  return info;
}

// Whether the largest level of a texture may be decoded, before memory is taken for it.
Status check_decoded_size(const TextureIndex& index, SampleType sample, const std::string& name,
                          uint64_t file_bytes, const ReadBudget& budget);

// For a part of a run, whose progress is so much of the progress of all. `control` must outlive it.
RunControl control_of_part(const RunControl& control, double done_before, double share);

// kInterrupted when the control says so.
Status check_cancelled(const RunControl& control);

}  // namespace tessera
