// What is done for the blocks of a picture, effort by effort: the rules that drivers of the CPU and
// of devices share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "astc/encode/presets.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

// What is found out about a whole picture before parts of it are encoded, in any order and place:
// how much effort a block is worth depends on how well the picture comes out elsewhere.
struct PictureFacts {
  float mean_error = 0;  // squared error of a texel after the first effort, in the mean of a sample
};

// Whether such settings want to know of the whole picture.
constexpr bool need_facts(const EncodeSettings& settings) {
  return settings.hard_factor > 0 || settings.small_factor > 0;
}

// Settings of one effort after the other; each goes on with what was hard for the one before.
class EffortPlan {
 public:
  EffortPlan(const EncodeSettings& settings, BlockSize size);

  unsigned count() const { return count_; }
  const EncodeSettings& operator[](unsigned effort) const { return efforts_[effort]; }

 private:
  std::array<EncodeSettings, kMaxEfforts> efforts_;
  unsigned count_ = 1;
};

// The squared error of a texel below which a block is done: what nobody sees, but no more than a
// part of what the picture's blocks have in the mean.
float small_error(const EncodeSettings& settings, const PictureFacts& facts);

// Blocks whose first estimate is lower are tried at once; `small` is of a texel.
constexpr float easy_limit(float small, BlockSize size) {
  constexpr float kDoubt = 1.5F;  // most estimates are nearer to the error than that
  const float whole_block = small * static_cast<float>(size.texel_count());
  return whole_block * kDoubt + 1;
}

// The squared error of a texel above which a block is hard.
constexpr float hard_limit(const EncodeSettings& settings, const PictureFacts& facts) {
  return settings.hard_factor * facts.mean_error;
}

// Quick settings serve edges of alpha badly: without partitions, and with so few fits that those of
// partitions crowd out two planes. Blocks with alpha are hard sooner there, from this part of the
// limit on.
constexpr float hard_alpha_share(const EncodeSettings& settings, BlockSize size) {
  constexpr unsigned kManyTexels = 48, kFewFits = 5;
  const bool is_large = size.texel_count() >= kManyTexels;
  if (settings.partition_search == PartitionSearch::kOff) {
    return is_large ? 0.05F : 0.1F;
  }
  return is_large && settings.fits <= kFewFits ? 0.5F : 1.0F;
}

// Which blocks are hard, by the error that an effort has left. Products are in this order for all
// drivers, so that rounding does not part them.
struct HardRule {
  float limit;        // of a texel
  float alpha_share;  // of the limit, for blocks with alpha
  // Of a texel: what has more would most likely be hard for the next effort, too, and goes on to
  // the one behind it at once. So do all that are hard without alpha where both limits are nearly
  // the same.
  float skip_limit;

  HardRule() = default;
  HardRule(const EffortPlan& efforts, unsigned effort, const PictureFacts& facts, BlockSize size);

  constexpr bool is_hard(float error, float texels) const { return error > limit * texels; }
  constexpr bool is_hard_with_alpha(float error, float texels) const {
    return error > limit * texels * alpha_share;
  }
  // Of a hard block: how many efforts further it goes.
  constexpr unsigned steps(float error, float texels) const {
    return error > skip_limit * texels ? 2 : 1;
  }
};

// --- The sample of blocks whose error is the picture's ---

// Blocks of all slices of blocks, as a picture's rows of blocks one behind the other.
struct BlockField {
  uint64_t across;
  uint64_t down;
  uint64_t slices;
};

inline constexpr size_t kMostSamples = 1024;

// Numbers of the sampled blocks, counted slice by slice and row by row.
class SampledBlocks {
 public:
  SampledBlocks(const BlockField& field, const EncodeSettings& settings);

  uint64_t count() const { return count_; }
  uint64_t operator[](uint64_t i) const;

 private:
  uint64_t blocks_;
  uint64_t count_;
};

// As they are encoded for it.
constexpr EncodeSettings sample_settings(EncodeSettings settings) {
  settings.small_factor = settings.small_error = 0;
  return settings;
}

}  // namespace tessera::astc
