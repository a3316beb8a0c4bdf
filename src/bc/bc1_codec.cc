// BC1 for the pipeline: block rows spread over a backend.
#include "bc/bc1_codec.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "base/mip_levels.h"
#include "base/rate_rows.h"
#include "bc/bc1_decode.h"
#include "bc/bc1_device.h"
#include "bc/bc1_encode.h"
#include "bc/bc1_format.h"
#include "bc/bc1_options.h"
#include "bc/bc1_presets.h"
#include "bc/bc1_rate_codec.h"
#include "bc/bc1_rows_codec.h"
#include "image/convert.h"

namespace tessera {
namespace {

// The backend's kernels for BC1; nullptr where it has none.
Bc1Kernels* kernels_of(Backend& backend) {
  if constexpr (kHasDevices) {
    return kernels_as<Bc1Kernels>(backend.device(), "bc1");
  }
  return nullptr;
}

class Bc1Encoder : public BlockEncoder {
 public:
  explicit Bc1Encoder(const bc1::Settings& settings) : settings_(settings) {}

  SampleType input_sample() const override { return SampleType::kU8; }
  uint32_t input_channels(const ImageInfo& /*picture*/) const override { return 4; }
  bool keeps_alpha() const override { return settings_.punch_through; }

  uint64_t output_bytes(const ImageInfo& image) const override {
    const Bc1BlockRows rows(image);
    return uint64_t{rows.per_slice} * image.slices() * rows.row_bytes;
  }

  bool chooses_rate() const override { return settings_.rate.size < 1; }
  Result<ChosenRate> choose_rate(const ImageView& largest, Backend& backend,
                                 const RunControl& control) const override {
    return chooses_rate() ? choose_bc1_rate(largest, settings_, backend, control) : ChosenRate{};
  }
  uint32_t rows_together(const ImageInfo& image) const override {
    return settings_.rate.any()
               ? rows_optimised_together(divide_round_up(image.width, bc1::kBlockSide))
               : 1;
  }

  Status encode_part(const ImageView& image, ImageFacts facts, Backend& backend,
                     const RunControl& control, std::span<uint8_t> out) const override {
    if (!settings_.rate.any()) {
      return encode_blocks(image, backend, control, out);
    }
    RunControl first = control;
    const auto tell = control.progress;
    first.progress = tell ? [&](double done) { tell(done * kEncodingShare); } : tell;
    TESSERA_RETURN_IF_ERROR(encode_blocks(image, backend, first, out));
    RunControl second = control;
    second.progress =
        tell ? [&](double done) { tell(kEncodingShare + done * (1 - kEncodingShare)); } : tell;
    const float lambda = chooses_rate() ? rate_number(facts) : settings_.rate.lambda;
    return optimise_bc1_blocks(image, settings_, lambda, backend, second, out);
  }

  Status encode_resident(const DeviceImage& image, Backend& backend, void* blocks,
                         void* stream) const override {
    Bc1Kernels* const kernels = kernels_of(backend);
    if (kernels == nullptr) {
      return unsupported_error("memory of a device needs the backend of that device");
    }
    if (settings_.rate.any()) {
      return unsupported_error("--rdo works in memory of the host, not of a device");
    }
    return kernels->encode_resident(image, settings_, blocks, stream);
  }

 private:
  static constexpr double kEncodingShare = 0.05;  // of the time, where blocks are optimised after
  Status encode_blocks(const ImageView& image, Backend& backend, const RunControl& control,
                       std::span<uint8_t> out) const {
    const Bc1BlockRows rows(image.info);
    assert(out.size() == rows.work.count * rows.row_bytes);
    if (Bc1Kernels* kernels = kernels_of(backend)) {
      Status status = kernels->encode(image, settings_, backend, out, control);
      if (status || !backend.device()->give_up(status.error())) {
        return status;
      }
    }
    const auto encode_range = [&](size_t begin, size_t end) -> Status {
      rows.for_each_slice(begin, end, [&](uint32_t slice, uint32_t first, uint32_t last) {
        const size_t offset = (size_t{slice} * rows.per_slice + first) * rows.row_bytes;
        bc1::encode_rows(image, slice, first, last, settings_,
                         out.subspan(offset, (last - first) * rows.row_bytes));
      });
      return {};
    };
    return backend.run(rows.work, encode_range, control);
  }

  bc1::Settings settings_;
};

class Bc1TileEncoder : public TileEncoder {
 public:
  explicit Bc1TileEncoder(const bc1::Settings& settings) : settings_(settings) {}

  size_t tile_bytes(uint32_t width, uint32_t height) const override {
    return static_cast<size_t>(divide_round_up(width, bc1::kBlockSide) *
                               divide_round_up(height, bc1::kBlockSide) * bc1::kBlockBytes);
  }
  Status encode(const ImageView& tile, std::span<uint8_t> out) override {
    const auto rows = static_cast<uint32_t>(divide_round_up(tile.info.height, bc1::kBlockSide));
    bc1::encode_rows(tile, 0, 0, rows, settings_, out);
    return {};
  }

 private:
  bc1::Settings settings_;
};

class Bc1Codec : public Codec {
 public:
  const FormatRow& row() const override { return format_row(TextureFormat::kBc1); }
  SharedSettings shared_settings() const override {
    return {.method = true, .channel_weights = true};
  }
  std::span<const OptionDescriptor> encode_options() const override { return bc1_encode_options(); }
  std::span<const OptionDescriptor> decode_options() const override { return bc1_decode_options(); }

  bool has_kernels_for(std::string_view device_kind) const override {
    return device_kind == "opencl" || device_kind == "cuda";
  }

  Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings& settings) const override {
    TESSERA_ASSIGN_OR_RETURN(const bc1::Settings chosen, read_settings(settings));
    return std::unique_ptr<Encoder>(std::make_unique<Bc1Encoder>(chosen));
  }

  // Encoding of rows needs no memory, so any number of calls can work at once.
  Result<std::unique_ptr<TileEncoder>> make_tile_encoder(const CodecSettings& settings,
                                                         unsigned /*concurrency*/) const override {
    TESSERA_ASSIGN_OR_RETURN(const bc1::Settings chosen, read_settings(settings));
    if (chosen.rate.any()) {
      return unsupported_error("--rdo works on whole pictures, not on tiles");
    }
    return std::unique_ptr<TileEncoder>(std::make_unique<Bc1TileEncoder>(chosen));
  }

  Result<Image> decode_level(const TextureInfo& info, uint32_t level, ByteSpan payload,
                             const DecodeOptions& options, Backend& backend,
                             const RunControl& control) const override {
    TESSERA_RETURN_IF_ERROR(check_decode_options(*this, options.options));
    const bc1::Rounding rounding = read_bc1_rounding(options.options);
    ImageInfo image_info;
    image_info.width = mip_extent(info.width, level);
    image_info.height = mip_extent(info.height, level);
    image_info.depth = mip_extent(info.depth, level);
    image_info.layers = info.layers;
    image_info.faces = info.faces;
    TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(image_info));
    const Bc1BlockRows rows(image_info);
    const size_t slice_bytes = rows.per_slice * rows.row_bytes;
    if (Bc1Kernels* kernels = image_info.slices() == 1 ? kernels_of(backend) : nullptr) {
      const Status status =
          kernels->decode(payload, rounding, backend, image.mutable_view(), control);
      if (status) {
        return finish(std::move(image), options);
      }
      if (!backend.device()->give_up(status.error())) {
        return status.error();
      }
    }
    const auto decode_range = [&](size_t begin, size_t end) -> Status {
      rows.for_each_slice(begin, end, [&](uint32_t slice, uint32_t first, uint32_t last) {
        bc1::decode_rows(payload.subspan(slice * slice_bytes, slice_bytes), first, last, slice,
                         image.mutable_view(), rounding);
      });
      return {};
    };
    TESSERA_RETURN_IF_ERROR(backend.run(rows.work, decode_range, control));
    return finish(std::move(image), options);
  }

  Result<BlockMap> map_blocks(const Texture& texture, const std::string& /*name*/) const override {
    BlockMap map;
    map.names = {{"one colour", "#9aa0a6"},
                 {"four colours", "#4c78a8"},
                 {"three colours", "#f58518"},
                 {"three colours and transparent", "#54a24b"}};
    map.across = (texture.info.width + bc1::kBlockSide - 1) / bc1::kBlockSide;
    const ByteSpan blocks = texture.levels[0];
    for (size_t at = 0; at + bc1::kBlockBytes <= blocks.size(); at += bc1::kBlockBytes) {
      map.kinds.push_back(kind_of(blocks.data() + at));
    }
    map.down = static_cast<uint32_t>(map.kinds.size() / map.across);
    return map;
  }

 private:
  // A place in the names of map_blocks().
  static uint8_t kind_of(const uint8_t* bytes) {
    bc1::Block block;
    block.color0 = static_cast<uint16_t>(bytes[0] | bytes[1] << 8);
    block.color1 = static_cast<uint16_t>(bytes[2] | bytes[3] << 8);
    bool is_one = true;
    bool is_transparent = false;
    for (size_t i = 4; i < bc1::kBlockBytes; ++i) {
      is_one = is_one && bytes[i] == bytes[4] && bytes[4] % 85 == 0;
      for (unsigned shift = 0; shift < 8; shift += 2) {
        is_transparent |= !has_four_colors(block) && ((bytes[i] >> shift) & 3) == 3;
      }
    }
    return is_transparent ? 3 : is_one ? 0 : has_four_colors(block) ? 1 : 2;
  }

  Result<bc1::Settings> read_settings(const CodecSettings& settings) const {
    TESSERA_RETURN_IF_ERROR(check_codec_settings(*this, settings));
    if (block_of(settings) != default_block()) {
      return usage_error("bc1 has blocks of 4x4, not " + block_size_name(*settings.block));
    }
    TESSERA_ASSIGN_OR_RETURN(Bc1Options options, read_bc1_options(settings.options));
    options.weights = settings.channel_weights;
    return make_bc1_settings(settings.preset, settings.method, options);
  }

  static Result<Image> finish(Image image, const DecodeOptions& options) {
    return options.sample == SampleType::kU8 ? std::move(image)
                                             : convert_samples(image.view(), options.sample);
  }
};

}  // namespace

const Codec& bc1_codec() {
  static const Bc1Codec codec;
  return codec;
}

}  // namespace tessera
