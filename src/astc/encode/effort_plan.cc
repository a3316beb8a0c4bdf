// The efforts of a picture, and the sample that tells its error.
#include "astc/encode/effort_plan.h"

#include <algorithm>
#include <limits>

namespace tessera::astc {

EffortPlan::EffortPlan(const EncodeSettings& settings, BlockSize size) {
  efforts_[0] = settings;
  while (efforts_[count_ - 1].hard_factor > 0 && count_ < kMaxEfforts) {
    efforts_[count_] = harder_settings(efforts_[count_ - 1], size);
    ++count_;
  }
}

float small_error(const EncodeSettings& settings, const PictureFacts& facts) {
  const auto& w = settings.channel_weights;
  const float unseen = settings.small_error * (w[0] + w[1] + w[2]);
  return settings.small_factor > 0 ? std::min(unseen, settings.small_factor * facts.mean_error)
                                   : unseen;
}

HardRule::HardRule(const EffortPlan& efforts, unsigned effort, const PictureFacts& facts,
                   BlockSize size)
    : limit(hard_limit(efforts[effort], facts)),
      alpha_share(hard_alpha_share(efforts[effort], size)),
      skip_limit(std::numeric_limits<float>::infinity()) {
  constexpr float kSurelyHard = 1.5F, kNearlySame = 1.1F;
  if (effort + 2 < efforts.count()) {
    skip_limit = kSurelyHard * hard_limit(efforts[effort + 1], facts);
    // The next effort would get few opaque blocks, which would not fill its vectors.
    if (skip_limit < kNearlySame * limit) {
      skip_limit = std::min(skip_limit, limit);
    }
  }
}

SampledBlocks::SampledBlocks(const BlockField& field, const EncodeSettings& settings)
    : blocks_(field.across * field.down * field.slices) {
  // One thread looks at the sample while others wait: slow presets have to do with less of it.
  constexpr uint64_t kFewestSamples = 48, kManyFits = 16;
  const uint64_t rarity = settings.fits > kManyFits ? 4 : 1;
  const uint64_t blocks_per_sample = 40 * rarity, most = kMostSamples / rarity;
  count_ = std::min(blocks_, std::clamp(blocks_ / blocks_per_sample, kFewestSamples, most));
}

// One block of each equal share of the picture, at a place that is unlike its neighbours'.
uint64_t SampledBlocks::operator[](uint64_t i) const {
  constexpr uint32_t kGoldenRatio = 0x9E3779B9;
  const uint64_t share_begin = blocks_ * i / count_, share_end = blocks_ * (i + 1) / count_;
  const uint64_t place = uint64_t{static_cast<uint32_t>(i * kGoldenRatio)};
  return share_begin + ((share_end - share_begin) * place >> 32);
}

}  // namespace tessera::astc
