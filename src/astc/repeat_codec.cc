// Encodes, decodes again, and looks for what could be repeated, part by part.
#include "astc/repeat_codec.h"

#include <algorithm>
#include <vector>

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
                   RepeatAmount amount, const astc::RepeatSettings& errors)
      : WrappedEncoder(std::move(encoder)),
        block_(block),
        mode_(mode),
        amount_(amount),
        errors_(errors) {}

  uint32_t rows_together(const ImageInfo& image) const override {
    return rows_optimised_together(divide_round_up(image.width, block_.width));
  }

  bool chooses_rate() const override { return amount_.size > 0; }
  // By a few parts.
  Result<ChosenRate> choose_rate(const ImageView& largest, Backend& backend,
                                 const RunControl& control) const override {
    if (!chooses_rate()) {
      return ChosenRate{};
    }
    const ImageFacts facts = encoder().look_at(largest);
    TESSERA_ASSIGN_OR_RETURN(const auto samples, sample(largest, facts, backend, control));
    const auto bits = [&](size_t part, float number) -> Result<double> {
      const Sample& own = samples[part];
      std::vector<uint8_t> blocks = own.blocks;
      return astc::repeat_blocks(own.view, own.decoded.view(), block_, settings_of(number, facts),
                                 blocks);
    };
    RateSearch search = kRates;
    search.size = amount_.size;
    return tessera::choose_rate(search, samples.size(), bits, backend, control);
  }

  Status encode_part(const ImageView& image, ImageFacts facts, Backend& backend,
                     const RunControl& control, std::span<uint8_t> out) const override {
    const ImageFacts own_facts = facts & UINT32_MAX;
    TESSERA_RETURN_IF_ERROR(encoder().encode_part(image, own_facts, backend, control, out));
    const float number = chooses_rate() ? rate_number(facts) : amount_.number;
    const astc::RepeatSettings settings = settings_of(number, own_facts);
    const Parts parts(*this, image.info);
    const auto repeat_range = [&](size_t begin, size_t end) -> Status {
      for (size_t i = begin; i < end; ++i) {
        TESSERA_RETURN_IF_ERROR(repeat_part(parts.view(image, i), settings, parts.blocks(out, i)));
      }
      return {};
    };
    return backend.run({parts.count(), 1}, repeat_range, {{}, control.cancelled, control.limits});
  }

 private:
  // With the highest number a block of 6x6 loses eight times its usual error at most, where a
  // repeat saves all its bits. Photographs need 90 for three quarters of their bytes.
  static constexpr RateSearch kRates = {
      .lowest = 0.4F, .highest = 230, .steps = 6, .almost_none = 0.01F};

  // The parts of a picture whose blocks may repeat each other.
  class Parts {
   public:
    Parts(const RepeatingEncoder& encoder, const ImageInfo& info)
        : block_(encoder.block_),
          rows_(static_cast<uint32_t>(divide_round_up(info.height, block_.height))),
          row_bytes_(static_cast<size_t>(divide_round_up(info.width, block_.width)) *
                     astc::kBlockBytes),
          together_(encoder.rows_together(info)),
          per_slice_(static_cast<size_t>(divide_round_up(rows_, together_))),
          slices_(info.slices()) {}

    size_t count() const { return per_slice_ * slices_; }

    ImageView view(const ImageView& image, size_t i) const {
      ImageView part = image;
      part.info.depth = part.info.layers = 1;
      part.data = image.row<uint8_t>(first(i) * block_.height, slice(i));
      part.info.height =
          std::min(last(i) * block_.height, image.info.height) - first(i) * block_.height;
      return part;
    }
    size_t bytes(size_t i) const { return (last(i) - first(i)) * row_bytes_; }
    std::span<uint8_t> blocks(std::span<uint8_t> all, size_t i) const {
      return all.subspan((size_t{slice(i)} * rows_ + first(i)) * row_bytes_, bytes(i));
    }

   private:
    uint32_t slice(size_t i) const { return static_cast<uint32_t>(i / per_slice_); }
    uint32_t first(size_t i) const { return static_cast<uint32_t>(i % per_slice_) * together_; }
    uint32_t last(size_t i) const { return std::min(first(i) + together_, rows_); }

    BlockSize block_;
    uint32_t rows_;
    size_t row_bytes_;
    uint32_t together_;
    size_t per_slice_;
    size_t slices_;
  };

  // A part as it is without repeated blocks.
  struct Sample {
    ImageView view;
    std::vector<uint8_t> blocks;
    Image decoded;
  };

  // A number of --rdo is in percent of the error of a texel.
  astc::RepeatSettings settings_of(float number, ImageFacts facts) const {
    astc::RepeatSettings settings = errors_;
    settings.lambda = number / 100 * bit_cast<float>(static_cast<uint32_t>(facts));
    return settings;
  }

  Status repeat_part(const ImageView& part, const astc::RepeatSettings& settings,
                     std::span<uint8_t> blocks) const {
    TESSERA_ASSIGN_OR_RETURN(const Image decoded,
                             astc::decode_image(blocks, part.info, block_, mode_));
    astc::repeat_blocks(part, decoded.view(), block_, settings, blocks);
    return {};
  }

  Result<std::vector<Sample>> sample(const ImageView& image, ImageFacts facts, Backend& backend,
                                     const RunControl& control) const {
    constexpr size_t kMostSamples = 3;
    const RunControl quiet = {{}, control.cancelled, control.limits};
    const Parts parts(*this, image.info);
    const size_t count = std::min(parts.count(), kMostSamples);
    std::vector<Sample> samples(count);
    for (size_t i = 0; i < count; ++i) {
      const size_t chosen = (2 * i + 1) * parts.count() / (2 * count);
      Sample& own = samples[i];
      own.view = parts.view(image, chosen);
      own.blocks.resize(parts.bytes(chosen));
      TESSERA_RETURN_IF_ERROR(encoder().encode_part(own.view, facts, backend, quiet, own.blocks));
      TESSERA_ASSIGN_OR_RETURN(own.decoded,
                               astc::decode_image(own.blocks, own.view.info, block_, mode_));
    }
    return samples;
  }

  BlockSize block_;
  astc::DecodeMode mode_;
  RepeatAmount amount_;
  astc::RepeatSettings errors_;
};

}  // namespace

Result<std::unique_ptr<Encoder>> make_repeating_encoder(std::unique_ptr<BlockEncoder> encoder,
                                                        BlockSize block, astc::DecodeMode mode,
                                                        RepeatAmount amount,
                                                        const astc::RepeatSettings& errors) {
  if (encoder->input_sample() != SampleType::kU8 || block.is_3d()) {
    return unsupported_error("--rdo is for pictures of 8 bits and blocks of 2D");
  }
  return std::unique_ptr<Encoder>(
      std::make_unique<RepeatingEncoder>(std::move(encoder), block, mode, amount, errors));
}

}  // namespace tessera
