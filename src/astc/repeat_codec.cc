// Encodes, decodes again, and looks for what could be repeated, part by part.
#include "astc/repeat_codec.h"

#include <algorithm>

#include "astc/decode/decode_image.h"
#include "astc/format/block128.h"
#include "base/bits.h"
#include "base/rate_rows.h"
#include "codec/wrapped_encoder.h"

namespace tessera {
namespace {

class RepeatingEncoder : public WrappedEncoder {
 public:
  RepeatingEncoder(std::unique_ptr<BlockEncoder> encoder, BlockSize block, astc::DecodeMode mode,
                   float share, const std::array<float, 4>& channel_weights)
      : WrappedEncoder(std::move(encoder)),
        block_(block),
        mode_(mode),
        share_(share),
        channel_weights_(channel_weights) {}

  uint32_t rows_together(const ImageInfo& image) const override {
    return rows_optimised_together(divide_round_up(image.width, block_.width));
  }

  Status encode_part(const ImageView& image, ImageFacts facts, Backend& backend,
                     const RunControl& control, std::span<uint8_t> out) const override {
    TESSERA_RETURN_IF_ERROR(encoder().encode_part(image, facts, backend, control, out));
    const float mean_error = bit_cast<float>(static_cast<uint32_t>(facts));
    const astc::RepeatSettings settings = {share_ * mean_error, channel_weights_};
    const auto rows = static_cast<uint32_t>(divide_round_up(image.info.height, block_.height));
    const size_t row_bytes =
        static_cast<size_t>(divide_round_up(image.info.width, block_.width)) * astc::kBlockBytes;
    const uint32_t together = rows_together(image.info);
    const auto per_slice = static_cast<size_t>(divide_round_up(rows, together));
    const auto repeat_range = [&](size_t begin, size_t end) -> Status {
      for (size_t i = begin; i < end; ++i) {
        const size_t slice = i / per_slice;
        const auto first = static_cast<uint32_t>(i % per_slice) * together;
        const uint32_t last = std::min(first + together, rows);
        ImageView part = image;
        part.info.depth = part.info.layers = 1;
        part.data = image.row<uint8_t>(first * block_.height, static_cast<uint32_t>(slice));
        part.info.height =
            std::min(last * block_.height, image.info.height) - first * block_.height;
        TESSERA_RETURN_IF_ERROR(repeat_part(
            part, settings,
            out.subspan((slice * rows + first) * row_bytes, (last - first) * row_bytes)));
      }
      return {};
    };
    return backend.run({per_slice * image.info.slices(), 1}, repeat_range,
                       {{}, control.cancelled, control.limits});
  }

 private:
  Status repeat_part(const ImageView& part, const astc::RepeatSettings& settings,
                     std::span<uint8_t> blocks) const {
    TESSERA_ASSIGN_OR_RETURN(const Image decoded,
                             astc::decode_image(blocks, part.info, block_, mode_));
    astc::repeat_blocks(part, decoded.view(), block_, settings, blocks);
    return {};
  }

  BlockSize block_;
  astc::DecodeMode mode_;
  float share_;
  std::array<float, 4> channel_weights_;
};

}  // namespace

Result<std::unique_ptr<Encoder>> make_repeating_encoder(
    std::unique_ptr<BlockEncoder> encoder, BlockSize block, astc::DecodeMode mode, float share,
    const std::array<float, 4>& channel_weights) {
  if (encoder->input_sample() != SampleType::kU8 || block.is_3d()) {
    return unsupported_error("--rdo is for pictures of 8 bits and blocks of 2D");
  }
  return std::unique_ptr<Encoder>(
      std::make_unique<RepeatingEncoder>(std::move(encoder), block, mode, share, channel_weights));
}

}  // namespace tessera
