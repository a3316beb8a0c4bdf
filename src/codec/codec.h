// What every format offers to the pipeline: an encoder made of checked settings, a decoder, and the
// list of its options. The adapter of a format lives in the format's folder.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bits.h"
#include "base/bytes.h"
#include "base/json.h"
#include "base/preset.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "base/shared_loop.h"
#include "codec/block_map.h"
#include "codec/options.h"
#include "codec/rate_choice.h"
#include "codec/tile_encoder.h"
#include "containers/texture.h"
#include "exec/backend.h"
#include "exec/device.h"
#include "image/image.h"

namespace tessera {

// Settings that several formats share are fields; what one format alone knows is in `options`.
struct CodecSettings {
  std::optional<BlockSize> block;  // empty: the format's default
  Preset preset = Preset::kMedium;
  std::string method;  // empty: the preset's
  Profile profile = Profile::kLdr;
  std::optional<float> quality;  // 0…100, instead of a preset
  std::string channel_weights;   // "3,6,1": what errors of red, green, blue and alpha count
  // A normal map: x is stored as luminance and y as alpha; z follows from them.
  bool normal_map = false;
  OptionList options;
};

// Which of the shared settings mean something to a format. A block size and a preset may be given
// to every format of blocks.
struct SharedSettings {
  bool method = false;
  bool quality = false;
  bool channel_weights = false;
  bool normal_map = false;
};

struct DecodeOptions {
  // How to read a texture; by default as its file says, or ldr where it does not say.
  std::optional<Profile> profile;
  SampleType sample = SampleType::kU8;
  OptionList options;
  bool is_normal_map = false;  // x is in red, y in alpha: the pipeline makes x, y, z of them
  bool yflip = false;          // the pipeline turns the picture upside down
};

class BlockEncoder;

// Settings that have been checked, ready to encode any number of images, from any thread.
class Encoder {
 public:
  virtual ~Encoder() = default;

  // The samples and channels that it takes of such a picture; the pipeline converts to them.
  virtual SampleType input_sample() const = 0;
  virtual uint32_t input_channels(const ImageInfo& picture) const = 0;
  virtual bool keeps_alpha() const = 0;

  // Whether a size was asked for (--rdo-size), which takes the largest level to be looked at by
  // choose_rate() before any level is encoded.
  virtual bool chooses_rate() const { return false; }
  virtual Result<ChosenRate> choose_rate(const ImageView& /*largest*/, Backend& /*backend*/,
                                         const RunControl& /*control*/) const {
    return ChosenRate{};
  }

  // One mip level, all slices. The rate is the largest level's.
  virtual Result<LargeBytes> encode_payload(const ImageView& image, const ChosenRate& rate,
                                            Backend& backend, const RunControl& control) const = 0;

  // Itself, for formats of blocks, which can write into memory of the caller's; else nullptr.
  virtual const BlockEncoder* as_block_encoder() const { return nullptr; }
};

// What an encoder wants to know of a whole image before it encodes parts of it, perhaps on another
// machine: a number that means something to encoders of the same settings alone. The lower half is
// what the encoder sees of the image; the upper half is the texture's rate.
using ImageFacts = uint64_t;

inline ImageFacts facts_with_rate(ImageFacts facts, const ChosenRate& rate) {
  return facts | ImageFacts{bit_cast<uint32_t>(rate.number)} << 32;
}
inline float rate_number(ImageFacts facts) {
  return bit_cast<float>(static_cast<uint32_t>(facts >> 32));
}

// A part of a picture of one slice, in pixels.
struct ImageArea {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t width = 0;
  uint32_t height = 0;
};

// The encoder of a format whose payload is blocks.
class BlockEncoder : public Encoder {
 public:
  // Of one mip level, all slices.
  virtual uint64_t output_bytes(const ImageInfo& image) const = 0;
  virtual ImageFacts look_at(const ImageView& /*image*/) const { return 0; }
  // Whether look_at() tells anything; if not, parts can be encoded before the whole is there.
  virtual bool wants_facts() const { return false; }
  // For pictures of one slice that are too large for the memory, or lie in another: the areas that
  // look_at() looks at, from the top down (none: it looks at everything), and what it says where
  // these are all there is.
  virtual std::vector<ImageArea> areas_looked_at(const ImageInfo& /*image*/) const { return {}; }
  virtual ImageFacts look_at_areas(std::span<const ImageView> /*areas*/) const { return 0; }
  // Block rows of a slice that depend on each other: parts begin at a multiple of so many rows.
  virtual uint32_t rows_together(const ImageInfo& /*image*/) const { return 1; }
  // A part of an image, of whole block rows, with the facts of the whole. `out` has output_bytes().
  virtual Status encode_part(const ImageView& part, ImageFacts facts, Backend& backend,
                             const RunControl& control, std::span<uint8_t> out) const = 0;

  // A picture in memory of the backend's device, into memory of that device that has room for
  // output_bytes(), on a stream of the caller's.
  virtual Status encode_resident(const DeviceImage& /*image*/, Backend& /*backend*/,
                                 void* /*blocks*/, void* /*stream*/) const {
    return unsupported_error("the format does not encode what lies in memory of a device");
  }

  // A picture without smaller levels.
  Status encode(const ImageView& image, Backend& backend, const RunControl& control,
                std::span<uint8_t> out) const {
    const RunControl quiet = {{}, control.cancelled, control.limits};
    TESSERA_ASSIGN_OR_RETURN(const ChosenRate rate, choose_rate(image, backend, quiet));
    return encode_part(image, facts_with_rate(look_at(image), rate), backend, control, out);
  }

  Result<LargeBytes> encode_payload(const ImageView& image, const ChosenRate& rate,
                                    Backend& backend, const RunControl& control) const final {
    const uint64_t bytes = output_bytes(image.info);
    if (!fits_memory(bytes)) {
      return failed_error("not enough memory for a texture of " + std::to_string(bytes) + " bytes");
    }
    LargeBytes payload(static_cast<size_t>(bytes));
    TESSERA_RETURN_IF_ERROR(
        encode_part(image, facts_with_rate(look_at(image), rate), backend, control, payload));
    return payload;
  }
  const BlockEncoder* as_block_encoder() const final { return this; }
};

class Codec {
 public:
  virtual ~Codec() = default;

  virtual const FormatRow& row() const = 0;
  virtual SharedSettings shared_settings() const = 0;
  virtual std::span<const OptionDescriptor> encode_options() const = 0;
  // An option of both lists means the same in both: what was encoded for a kind of decoder is
  // measured with that kind.
  virtual std::span<const OptionDescriptor> decode_options() const = 0;

  // Whether the format has kernels for devices of a kind ("cuda", "opencl").
  virtual bool has_kernels_for(std::string_view /*device_kind*/) const { return false; }

  virtual Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings& settings) const = 0;
  // Of a format of whole images, for processes that encode one image in step: the encoder shares
  // its loops with the others through `loop`, which must outlive it. kUnsupported for formats that
  // cannot.
  virtual Result<std::unique_ptr<Encoder>> make_shared_encoder(const CodecSettings& settings,
                                                               SharedLoop& loop) const;

  // One mip level, all slices. Of a format of blocks, `payload` has the size that level_bytes()
  // tells.
  virtual Result<Image> decode_level(const TextureInfo& info, uint32_t level, ByteSpan payload,
                                     const DecodeOptions& options, Backend& backend,
                                     const RunControl& control) const = 0;

  // One slice of a level, as blocks in memory of the backend's device, to RGBA8 texels there;
  // queues the work on the stream. kUnsupported for formats, textures and backends that cannot:
  // nothing has been done then.
  virtual Status decode_resident(const TextureInfo& /*info*/, const void* /*blocks*/,
                                 const DecodeOptions& /*options*/, Backend& /*backend*/,
                                 const MutableDeviceImage& /*image*/, void* /*stream*/) const {
    return unsupported_error("the format does not decode what lies in memory of a device");
  }

  // How many times as wide and as high as the texture the decoded image is, with these options.
  virtual uint32_t decode_scale(const OptionList& /*options*/) const { return 1; }

  // For rectangles of 8-bit pixels as they come, without allocation; up to `concurrency` calls work
  // at once. kUnsupported for formats that cannot.
  virtual Result<std::unique_ptr<TileEncoder>> make_tile_encoder(const CodecSettings& settings,
                                                                 unsigned concurrency) const;

  // For people, as JSON objects. `name` is used in messages.
  // Of a format of whole images: all that its file tells, for as long as the budget has time.
  virtual Result<Json> describe_image(const Texture& texture, const std::string& name,
                                      const ReadBudget& budget) const;
  // The part of it that the header alone tells; `head` is the beginning of the file.
  virtual Result<Json> describe_image_header(ByteSpan head, const std::string& name) const;
  // Of a format of blocks: how often each choice of the format was taken in the largest level.
  virtual Result<Json> describe_blocks(const Texture& texture, const std::string& name) const;
  // The block at "X,Y" or "X,Y,Z", counted in blocks.
  virtual Result<Json> describe_block(const Texture& texture, const std::string& position,
                                      const std::string& name) const;

  // Of a format of blocks: the kind of each block of the largest level.
  virtual Result<BlockMap> map_blocks(const Texture& texture, const std::string& name) const;
  // Of a format of whole images: an object for each of its parts, with positions in pixels.
  virtual Result<Json> list_parts(const Texture& texture, const std::string& name) const;

  TextureFormat format() const { return row().format; }
  std::string_view name() const { return row().name; }
  BlockSize default_block() const { return row().default_block; }
  BlockSize block_of(const CodecSettings& settings) const {
    return settings.block.value_or(row().default_block);
  }
};

// The encoder of a format of blocks; kUnsupported for others.
Result<std::unique_ptr<BlockEncoder>> make_block_encoder(const Codec& codec,
                                                         const CodecSettings& settings);

// For codecs: fails with a sentence where the settings hold something that the format does not
// know, naming the formats that do, and where an option's value does not fit its descriptor.
Status check_codec_settings(const Codec& codec, const CodecSettings& settings);
// The same for options of decoding.
Status check_decode_options(const Codec& codec, const OptionList& options);

}  // namespace tessera
