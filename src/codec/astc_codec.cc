#include "codec/astc_codec.h"

#include <algorithm>

#include "astc/decode/decode_image.h"
#include "image/mipmap.h"

namespace tessera {
namespace {

// Texels a task: a few milliseconds of decoding.
constexpr size_t kTexelsPerTask = size_t{1} << 16;

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

class AstcCodec : public Codec {
 public:
  TextureFormat format() const override { return TextureFormat::kAstc; }
  BlockSize default_block() const override { return {6, 6, 1}; }
  bool can_encode() const override { return false; }

  Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings&) const override {
    return unsupported_error("this build can decode astc, but not encode it");
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
    const astc::BlockSize block = {static_cast<uint8_t>(info.block.width),
                                   static_cast<uint8_t>(info.block.height),
                                   static_cast<uint8_t>(info.block.depth)};
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

const Codec& astc_codec() {
  static const AstcCodec codec;
  return codec;
}

}  // namespace tessera
