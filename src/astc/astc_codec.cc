// ASTC for the pipeline: block rows spread over a backend.
#include "astc/astc_codec.h"

#include <algorithm>
#include <cassert>

#include "astc/astc_describe.h"
#include "astc/astc_device.h"
#include "astc/astc_options.h"
#include "astc/decode/decode_image.h"
#include "astc/encode/encode_rows.h"
#include "astc/encode/presets.h"
#include "astc/encode/tile_encoder.h"
#include "astc/fgac_codec.h"
#include "astc/format/block128.h"
#include "astc/repeat_codec.h"
#include "base/bits.h"
#include "base/mip_levels.h"

namespace tessera {
namespace {

// Texels of a task: a few milliseconds of decoding.
constexpr size_t kTexelsPerTask = size_t{1} << 16;
// Blocks of a task: enough to sort them into full vectors of equal work, and fewer of slow presets,
// so that a task takes a second or two.
constexpr size_t kMostBlocksPerTask = 32768;
constexpr size_t kFewestBlocksPerTask = 2048;
constexpr size_t kFitsPerTask = size_t{1} << 18;
// A method beside our own, to be studied (docs/cuda.md).
constexpr std::string_view kFgac = "fgac";

astc::DecodeMode decode_mode(const TextureInfo& info, const DecodeOptions& options) {
  switch (options.profile.value_or(profile_of(info))) {
    case Profile::kSrgb:
      return astc::DecodeMode::kSrgb;
    case Profile::kHdr:
    case Profile::kHdra:
      return astc::DecodeMode::kHdr;
    case Profile::kLdr:
      break;
  }
  return read_astc_unorm8(options.options) ? astc::DecodeMode::kLdrUnorm8
                                           : astc::DecodeMode::kLdrFloat16;
}

void set_partition_search(astc::PartitionSearch search, astc::EncodeSettings& settings) {
  settings.partition_search = search;
  // Presets that do without partitions get the least search of them.
  settings.partitions[0].kept = std::max<uint8_t>(settings.partitions[0].kept, 1);
}

// Few blocks of a map have most of its error, those around lights: it pays to be harder on them
// than on pictures, most of all with `fast`. The numbers are such that none of eight maps is worse
// than astcenc's from `fast` on, at ten times its rate; those between presets follow.
float hdr_hard_scale(float effort) {
  constexpr float kPresetStep = 25, kRealtime = 0.4F, kFast = 0.045F, kSlower = 0.5F;
  const float presets = std::min(effort / kPresetStep, 2.0F);
  return presets < 1 ? kRealtime + (kFast - kRealtime) * presets
                     : kFast + (kSlower - kFast) * (presets - 1);
}

// Blocks of volumes of light are as different as those of other volumes are alike: all presets but
// the ends of the dial take settings between theirs and the next ones, and are harder on few
// blocks.
float volume_of_light_quality(float quality) {
  constexpr std::array<std::pair<float, float>, 5> kPlaces = {
      {{0.0F, 0.0F}, {25.0F, 50.0F}, {50.0F, 56.0F}, {75.0F, 77.0F}, {100.0F, 100.0F}}};
  for (size_t i = 1; i < kPlaces.size(); ++i) {
    const auto [from, low] = kPlaces[i - 1];
    const auto [to, high] = kPlaces[i];
    if (quality <= to) {
      return low + (high - low) * (quality - from) / (to - from);
    }
  }
  return quality;
}

float hdr_hard_scale(float effort, BlockSize block) {
  constexpr float kMedium = 60, kVolume = 0.1F, kSlowVolume = 0.3F;
  return !block.is_3d() || effort < 1 ? hdr_hard_scale(effort)
                                      : (effort < kMedium ? kVolume : kSlowVolume);
}

astc::EncodeSettings settings_of_dial(const CodecSettings& settings, BlockSize block) {
  constexpr float kPresetStep = 25;
  const float quality =
      settings.quality.value_or(kPresetStep * static_cast<float>(settings.preset));
  return astc::quality_settings(
      block.is_3d() && is_hdr(settings.profile) ? volume_of_light_quality(quality) : quality,
      block);
}

Result<astc::EncodeSettings> encode_settings(const CodecSettings& settings, BlockSize block) {
  const AstcOptions options = read_astc_options(settings.options);
  astc::EncodeSettings chosen = settings_of_dial(settings, block);
  chosen.endpoint_start = options.endpoints.value_or(chosen.endpoint_start);
  if (options.partitions) {
    if (!astc::can_search(*options.partitions)) {
      return unsupported_error("this build of Tessera finds partitions by moments alone");
    }
    set_partition_search(*options.partitions, chosen);
  }
  if (options.unorm8 && is_hdr(settings.profile)) {
    return usage_error("--decode-mode unorm8 is for ldr: high dynamic range has one way to decode");
  }
  if (is_hdr(settings.profile)) {
    chosen.hard_factor *= hdr_hard_scale(chosen.effort, block);
    chosen.decode_mode = astc::DecodeMode::kHdr;
    chosen.hdr_alpha = settings.profile == Profile::kHdra;
  } else if (settings.profile == Profile::kSrgb) {
    chosen.decode_mode = astc::DecodeMode::kSrgb;
  } else if (options.unorm8) {
    chosen.decode_mode = astc::DecodeMode::kLdrUnorm8;
  }
  TESSERA_ASSIGN_OR_RETURN(chosen.channel_weights, read_astc_weights(settings.channel_weights,
                                                                     settings.normal_map, options));
  chosen.alpha_weight = options.alpha_weight;
  if (options.rgbm && is_hdr(settings.profile)) {
    return usage_error("--rgbm is for light that is stored in low dynamic range, so --profile " +
                       std::string(profile_name(settings.profile)) + " does not go with it");
  }
  if (options.alpha_weight && settings.profile == Profile::kHdra) {
    return usage_error(
        "--alpha-weight needs an alpha of 0 to 1, and that of --profile hdra has no such limit");
  }
  return chosen;
}

Result<RepeatAmount> read_repeat_amount(const CodecSettings& settings) {
  const AstcOptions options = read_astc_options(settings.options);
  if (options.rdo > 0 && options.rdo_size > 0) {
    return usage_error("--rdo and --rdo-size exclude each other: a size chooses the number itself");
  }
  return RepeatAmount{options.rdo, options.rdo_size < 100 ? options.rdo_size / 100 : 0.0F};
}

// The backend's kernels for ASTC; nullptr where it has none.
AstcKernels* kernels_of(Backend& backend) {
  if constexpr (kHasDevices) {
    return kernels_as<AstcKernels>(backend.device(), "astc");
  }
  return nullptr;
}

class AstcEncoder : public BlockEncoder {
 public:
  // With the tables that images will need, so that the first one is not kept waiting for them.
  AstcEncoder(BlockSize block, const astc::EncodeSettings& settings)
      : block_(block), settings_(settings) {
    astc::prepare_tables(block, settings);
  }

  SampleType input_sample() const override { return is_hdr() ? SampleType::kF16 : SampleType::kU8; }
  uint32_t input_channels(const ImageInfo& /*picture*/) const override { return 4; }
  bool keeps_alpha() const override { return true; }

  uint64_t output_bytes(const ImageInfo& image) const override {
    const astc::BlockCounts counts = astc::block_counts(image, block_);
    return counts.rows() * counts.x * astc::kBlockBytes;
  }

  ImageFacts look_at(const ImageView& image) const override {
    return bit_cast<uint32_t>(
        astc::look_at_picture(image, block_, settings_, scratch_of_thread()).mean_error);
  }

  bool wants_facts() const override { return astc::need_facts(settings_); }

  std::vector<ImageArea> areas_looked_at(const ImageInfo& image) const override {
    std::vector<ImageArea> areas;
    for (const astc::BlockPlace& place : astc::sampled_blocks(image, block_, settings_)) {
      const uint32_t x = place.x * block_.width, y = place.y * block_.height;
      areas.push_back({x, y, std::min<uint32_t>(block_.width, image.width - x),
                       std::min<uint32_t>(block_.height, image.height - y)});
    }
    return areas;
  }

  ImageFacts look_at_areas(std::span<const ImageView> areas) const override {
    return bit_cast<uint32_t>(
        astc::look_at_blocks(areas, block_, settings_, scratch_of_thread()).mean_error);
  }

  Status encode_part(const ImageView& image, ImageFacts image_facts, Backend& backend,
                     const RunControl& control, std::span<uint8_t> out) const override {
    const astc::PictureFacts facts = {bit_cast<float>(static_cast<uint32_t>(image_facts))};
    const astc::BlockCounts counts = astc::block_counts(image.info, block_);
    const size_t row_bytes = counts.x * astc::kBlockBytes;
    assert(out.size() == counts.rows() * row_bytes);
    // Devices have no kernels for HDR and volumes, which the backend's threads encode.
    if (AstcKernels* kernels = is_hdr() || block_.is_3d() ? nullptr : kernels_of(backend)) {
      Status status = kernels->encode(image, block_, settings_, facts, backend, out, control);
      if (status || !backend.device()->give_up(status.error())) {
        return status;
      }
    }
    const auto encode_range = [&](size_t begin, size_t end) -> Status {
      while (begin < end) {  // slice by slice
        const size_t slice = begin / counts.y;
        const size_t slice_end = std::min<size_t>(end, (slice + 1) * counts.y);
        astc::encode_rows(image, block_, static_cast<uint32_t>(slice),
                          static_cast<uint32_t>(begin - slice * counts.y),
                          static_cast<uint32_t>(slice_end - slice * counts.y), settings_, facts,
                          scratch_of_thread(),
                          out.subspan(begin * row_bytes, (slice_end - begin) * row_bytes));
        begin = slice_end;
      }
      return {};
    };
    const size_t most = std::min(kMostBlocksPerTask, kFitsPerTask / settings_.fits);
    const WorkRange work = {static_cast<size_t>(counts.rows()),
                            std::max<size_t>(1, most / counts.x),
                            std::max<size_t>(1, kFewestBlocksPerTask / counts.x)};
    return backend.run(work, encode_range, control);
  }

  Status encode_resident(const DeviceImage& image, Backend& backend, void* blocks,
                         void* stream) const override {
    AstcKernels* const kernels = kernels_of(backend);
    if (kernels == nullptr) {
      return unsupported_error("memory of a device needs the backend of that device");
    }
    if (block_.is_3d()) {
      return unsupported_error("blocks of 3D are not encoded on a device");
    }
    if (is_hdr()) {
      return unsupported_error("astc of high dynamic range is not encoded in memory of a device");
    }
    return kernels->encode_resident(image, block_, settings_, blocks, stream);
  }

 private:
  bool is_hdr() const { return settings_.decode_mode == astc::DecodeMode::kHdr; }

  // Made once per thread, so that encoding itself does not allocate.
  static astc::EncodeScratch& scratch_of_thread() {
    static thread_local astc::EncodeScratch scratch;
    return scratch;
  }

  BlockSize block_;
  astc::EncodeSettings settings_;
};

class AstcTileEncoder : public TileEncoder {
 public:
  AstcTileEncoder(BlockSize block, const astc::EncodeSettings& settings, unsigned concurrency)
      : block_(block), encoder_(block, settings, concurrency) {}

  size_t tile_bytes(uint32_t width, uint32_t height) const override {
    return astc::tile_bytes(width, height, block_);
  }
  Status encode(const ImageView& tile, std::span<uint8_t> out) override {
    return encoder_.encode({tile.data, tile.row_stride, tile.info.width, tile.info.height}, out);
  }

 private:
  BlockSize block_;
  astc::TileEncoder encoder_;
};

class AstcCodec : public Codec {
 public:
  const FormatRow& row() const override { return format_row(TextureFormat::kAstc); }
  SharedSettings shared_settings() const override {
    return {.method = true, .quality = true, .channel_weights = true, .normal_map = true};
  }
  std::span<const OptionDescriptor> encode_options() const override {
    return astc_encode_options();
  }
  std::span<const OptionDescriptor> decode_options() const override {
    return astc_decode_options();
  }

  bool has_kernels_for(std::string_view device_kind) const override {
    return device_kind == "cuda";
  }

  Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings& settings) const override {
    TESSERA_ASSIGN_OR_RETURN(const astc::EncodeSettings chosen, read_settings(settings));
    TESSERA_ASSIGN_OR_RETURN(const RepeatAmount amount, read_repeat_amount(settings));
    if (settings.method == kFgac) {
      if (is_hdr(settings.profile)) {
        return unsupported_error("the method fgac does not encode high dynamic range");
      }
      return amount.any() ? unsupported_error("the method fgac does without --rdo")
                          : make_fgac_encoder(settings, block_of(settings));
    }
    if (amount.any() && block_of(settings).is_3d()) {
      return unsupported_error("--rdo is for blocks of 2D, and " +
                               block_size_name(block_of(settings)) + " are of 3D");
    }
    if (amount.any() && is_hdr(settings.profile)) {
      return unsupported_error("--rdo is for pictures of low dynamic range");
    }
    auto encoder = std::make_unique<AstcEncoder>(block_of(settings), chosen);
    if (amount.any()) {
      return make_repeating_encoder(std::move(encoder), block_of(settings), chosen.decode_mode,
                                    amount, {0, chosen.channel_weights, chosen.alpha_weight});
    }
    return std::unique_ptr<Encoder>(std::move(encoder));
  }

  Result<std::unique_ptr<TileEncoder>> make_tile_encoder(const CodecSettings& settings,
                                                         unsigned concurrency) const override {
    TESSERA_ASSIGN_OR_RETURN(const astc::EncodeSettings chosen, read_settings(settings));
    if (settings.method == kFgac) {
      return unsupported_error("the method fgac encodes whole pictures, not tiles");
    }
    if (is_hdr(settings.profile)) {
      return unsupported_error("tiles have 8-bit pixels, and high dynamic range needs floats");
    }
    if (block_of(settings).is_3d()) {
      return usage_error("tiles are pictures, and blocks of " +
                         block_size_name(block_of(settings)) + " are for volumes");
    }
    TESSERA_ASSIGN_OR_RETURN(const RepeatAmount amount, read_repeat_amount(settings));
    if (amount.any()) {
      return unsupported_error("--rdo works on whole pictures, not on tiles");
    }
    return std::unique_ptr<TileEncoder>(
        std::make_unique<AstcTileEncoder>(block_of(settings), chosen, concurrency));
  }

  Result<Json> describe_blocks(const Texture& texture, const std::string& /*name*/) const override {
    return describe_astc_blocks(texture);
  }
  Result<BlockMap> map_blocks(const Texture& texture, const std::string& /*name*/) const override {
    return map_astc_blocks(texture);
  }
  Result<Json> describe_block(const Texture& texture, const std::string& position,
                              const std::string& name) const override {
    return describe_astc_block(texture, position, name);
  }

  Result<Image> decode_level(const TextureInfo& info, uint32_t level, ByteSpan payload,
                             const DecodeOptions& options, Backend& backend,
                             const RunControl& control) const override {
    TESSERA_RETURN_IF_ERROR(check_decode_options(*this, options.options));
    const astc::DecodeMode mode = decode_mode(info, options);
    if (mode == astc::DecodeMode::kHdr && read_astc_unorm8(options.options)) {
      return usage_error(
          "--decode-mode unorm8 is for ldr: high dynamic range has one way to decode");
    }
    ImageInfo image_info;
    image_info.width = mip_extent(info.width, level);
    image_info.height = mip_extent(info.height, level);
    image_info.depth = mip_extent(info.depth, level);
    image_info.layers = info.layers;
    image_info.faces = info.faces;
    TESSERA_ASSIGN_OR_RETURN(const auto tone_map, read_astc_tone_map(options.options));
    if (tone_map && is_float(options.sample)) {
      return usage_error(
          "--tonemap makes pictures of integers (.png, .ppm, .tga): floats hold the light itself");
    }
    const bool maps_tones = tone_map && mode == astc::DecodeMode::kHdr;
    image_info.sample = maps_tones ? SampleType::kF16 : options.sample;
    image_info.color_space =
        mode == astc::DecodeMode::kSrgb ? ColorSpace::kSrgb : ColorSpace::kLinear;
    TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(image_info));
    const BlockSize block = info.block;
    AstcKernels* const kernels =
        can_decode_on_device(info, mode, options) ? kernels_of(backend) : nullptr;
    if (kernels != nullptr) {
      const Status status =
          kernels->decode(payload, block, mode, backend, image.mutable_view(), control);
      if (status) {
        return image;
      }
      if (!backend.device()->give_up(status.error())) {
        return status.error();
      }
    }
    const size_t row_texels = size_t{image_info.width} * block.height * block.depth;
    const WorkRange work = {static_cast<size_t>(astc::block_counts(image_info, block).rows()),
                            std::max<size_t>(1, kTexelsPerTask / row_texels)};
    const auto decode_range = [&](size_t begin, size_t end) -> Status {
      astc::decode_block_rows(payload, block, mode, begin, end, image.mutable_view());
      return {};
    };
    TESSERA_RETURN_IF_ERROR(backend.run(work, decode_range, control));
    if (maps_tones) {
      return apply_tone_map(image.view(), *tone_map, options.sample);
    }
    return image;
  }

  Status decode_resident(const TextureInfo& info, const void* blocks, const DecodeOptions& options,
                         Backend& backend, const MutableDeviceImage& image,
                         void* stream) const override {
    const astc::DecodeMode mode = decode_mode(info, options);
    AstcKernels* const kernels =
        can_decode_on_device(info, mode, options) ? kernels_of(backend) : nullptr;
    return kernels == nullptr ? unsupported_error("the device does not decode such a texture")
                              : kernels->decode_resident(blocks, info.block, mode, image, stream);
  }

 private:
  static bool can_decode_on_device(const TextureInfo& info, astc::DecodeMode mode,
                                   const DecodeOptions& options) {
    return !info.block.is_3d() && mode != astc::DecodeMode::kHdr &&
           options.sample == SampleType::kU8;
  }

  Result<astc::EncodeSettings> read_settings(const CodecSettings& settings) const {
    TESSERA_RETURN_IF_ERROR(check_codec_settings(*this, settings));
    const BlockSize block = block_of(settings);
    if (!row().has_block(block)) {
      return usage_error("astc has no blocks of " + block_size_name(block));
    }
    if (!settings.method.empty() && settings.method != kFgac) {
      return unsupported_error("astc has no method '" + settings.method + "' (there is fgac)");
    }
    if (!astc::can_encode(block, is_hdr(settings.profile) ? astc::DecodeMode::kHdr
                                                          : astc::DecodeMode::kLdrFloat16)) {
      return unsupported_error("this build of Tessera encodes pictures of 8 bits alone");
    }
    return encode_settings(settings, block);
  }
};

}  // namespace

const Codec& astc_codec() {
  static const AstcCodec codec;
  return codec;
}

}  // namespace tessera
