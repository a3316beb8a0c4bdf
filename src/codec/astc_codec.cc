#include "codec/astc_codec.h"

#include <algorithm>

#include "astc/decode/decode_image.h"
#include "astc/encode/encode_rows.h"
#include "astc/encode/presets.h"
#include "astc/format/block128.h"
#include "image/mipmap.h"

namespace tessera {
namespace {

// Texels a task: a few milliseconds of decoding.
constexpr size_t kTexelsPerTask = size_t{1} << 16;
// Blocks a task: enough to sort them into full vectors of equal work.
constexpr size_t kBlocksPerTask = 2048;

astc::DecodeMode decode_mode(const TextureInfo& info, const DecodeOptions& options) {
  const Profile of_file = info.hdr ? Profile::kHdr : (info.srgb ? Profile::kSrgb : Profile::kLdr);
  switch (options.profile.value_or(of_file)) {
    case Profile::kSrgb:
      return astc::DecodeMode::kSrgb;
    case Profile::kHdr:
      return astc::DecodeMode::kHdr;
    case Profile::kLdr:
      break;
  }
  return options.unorm8 ? astc::DecodeMode::kLdrUnorm8 : astc::DecodeMode::kLdrFloat16;
}

class AstcEncoder : public Encoder {
 public:
  AstcEncoder(astc::BlockSize block, const astc::EncodeSettings& settings)
      : block_(block), settings_(settings) {}

  SampleType input_sample() const override { return SampleType::kU8; }
  uint32_t input_channels() const override { return 4; }
  bool keeps_alpha() const override { return true; }

  Status encode(const ImageView& image, Backend& backend, const RunControl& control,
                Bytes& out) const override {
    const astc::BlockCounts counts = astc::block_counts(image.info, block_);
    const size_t row_bytes = counts.x * astc::kBlockBytes;
    out.resize(counts.rows() * row_bytes);
    const auto encode_range = [&](size_t begin, size_t end) -> Status {
      // Made once a thread, so that encoding itself does not allocate.
      static thread_local astc::EncodeScratch scratch;
      while (begin < end) {  // slice by slice
        const size_t slice = begin / counts.y;
        const size_t slice_end = std::min<size_t>(end, (slice + 1) * counts.y);
        astc::encode_rows(
            image, block_, static_cast<uint32_t>(slice),
            static_cast<uint32_t>(begin - slice * counts.y),
            static_cast<uint32_t>(slice_end - slice * counts.y), settings_, scratch,
            std::span(out).subspan(begin * row_bytes, (slice_end - begin) * row_bytes));
        begin = slice_end;
      }
      return {};
    };
    const WorkRange work = {counts.rows(), std::max<size_t>(1, kBlocksPerTask / counts.x)};
    return backend.run(work, encode_range, control);
  }

 private:
  astc::BlockSize block_;
  astc::EncodeSettings settings_;
};

class AstcCodec : public Codec {
 public:
  TextureFormat format() const override { return TextureFormat::kAstc; }
  BlockSize default_block() const override { return {6, 6, 1}; }

  Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings& settings) const override {
    const astc::BlockSize block = to_astc(settings.block);
    if (!astc::block_size_index(block)) {
      return usage_error("astc has no blocks of " + block_size_name(settings.block));
    }
    if (block.is_3d()) {
      return unsupported_error("astc blocks of 3D are decoded, but not encoded");
    }
    if (settings.profile == Profile::kHdr) {
      return unsupported_error("astc of high dynamic range is decoded, but not encoded");
    }
    if (!settings.method.empty()) {
      return unsupported_error("astc has no method '" + settings.method + "'");
    }
    const auto chosen = astc::preset_settings(settings.preset);
    if (!chosen) {
      return unsupported_error("astc has no preset " + std::string(preset_name(settings.preset)) +
                               " yet (there is: realtime)");
    }
    return std::unique_ptr<Encoder>(std::make_unique<AstcEncoder>(block, *chosen));
  }

  Result<Image> decode_level(const TextureInfo& info, uint32_t level, ByteSpan payload,
                             const DecodeOptions& options, Backend& backend,
                             const RunControl& control) const override {
    const astc::DecodeMode mode = decode_mode(info, options);
    ImageInfo image_info;
    image_info.width = mip_extent(info.width, level);
    image_info.height = mip_extent(info.height, level);
    image_info.depth = mip_extent(info.depth, level);
    image_info.layers = info.layers;
    image_info.sample = options.sample;
    image_info.color_space =
        mode == astc::DecodeMode::kSrgb ? ColorSpace::kSrgb : ColorSpace::kLinear;
    TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(image_info));
    const astc::BlockSize block = to_astc(info.block);
    const size_t row_texels = size_t{image_info.width} * block.y * block.z;
    const WorkRange work = {astc::block_counts(image_info, block).rows(),
                            std::max<size_t>(1, kTexelsPerTask / row_texels)};
    const auto decode_range = [&](size_t begin, size_t end) -> Status {
      astc::decode_block_rows(payload, block, mode, begin, end, image.mutable_view());
      return {};
    };
    TESSERA_RETURN_IF_ERROR(backend.run(work, decode_range, control));
    return image;
  }
};

}  // namespace

astc::BlockSize to_astc(const BlockSize& block) {
  return {static_cast<uint8_t>(block.width), static_cast<uint8_t>(block.height),
          static_cast<uint8_t>(block.depth)};
}

const Codec& astc_codec() {
  static const AstcCodec codec;
  return codec;
}

}  // namespace tessera
