// The order of symbols in a plane's stream, written down once: the same code writes, reads and
// counts, depending on the coder it is given.
//
// Root blocks row by row; in each a quadtree: split flag, then for a leaf its kind, its mean as a
// difference from a prediction, and either domain (s, isometry, distance class, place in the class)
// or DCT levels. Blocks wholly outside the image cost nothing.
#pragma once

#include <cstdlib>

#include "fractal/bit_coder.h"
#include "fractal/dct.h"
#include "fractal/distance_rings.h"
#include "fractal/leaf.h"
#include "fractal/quality.h"

namespace tessera::fractal {

inline constexpr uint32_t kMinLog2Side = 2;
inline constexpr uint32_t kMaxLog2Side = 5;
inline constexpr uint32_t kSizeCount = kMaxLog2Side - kMinLog2Side + 1;
inline constexpr uint32_t kRootSide = 1u << kMaxLog2Side;
// s = ±1/4 … ±6/4.
inline constexpr int kScaleSteps = 6;
inline constexpr int kScaleStep = kScaleUnit / 4;

// Whole numbers that are mostly small.
struct SignedModel {
  AdaptiveBit zero;
  AdaptiveBit negative;
  AdaptiveBit more[16];
};

struct LevelModel {
  AdaptiveBit significant[16][3];
  AdaptiveBit above_one[16];
  AdaptiveBit more[14];
};

struct PlaneModel {
  AdaptiveBit split[kSizeCount][3];
  AdaptiveBit detail[kSizeCount][3];
  AdaptiveBit dct[kSizeCount][3];
  SignedModel mean[kSizeCount][3];
  BitTree<3> scale[kSizeCount];
  AdaptiveBit negative_scale[kSizeCount];
  BitTree<3> isometry[kSizeCount];
  BitTree<4> ring[kSizeCount];
  BitTree<6> level_count[kSizeCount];
  LevelModel levels[kSizeCount];
};

// Exp-Golomb with learnt prefix: value ≥ 0.
template <typename Coder, size_t kContexts>
void code_magnitude(Coder& coder, AdaptiveBit (&more)[kContexts], uint32_t& value) {
  uint32_t bits = 0;
  uint32_t base = 0;
  for (;; ++bits) {
    bool go_on = value >= base + (1u << bits);
    coder.bit(more[std::min<size_t>(bits, kContexts - 1)], go_on);
    if (!go_on || bits == 15) {
      break;
    }
    base += 1u << bits;
  }
  uint32_t rest = 0;
  if (bits > 0) {
    rest = value - base;
    coder.uniform(1u << bits, rest);
  }
  value = base + rest;
}

template <typename Coder>
void code_signed(Coder& coder, SignedModel& model, int32_t& value) {
  bool nonzero = value != 0;
  coder.bit(model.zero, nonzero);
  if (!nonzero) {
    value = 0;
    return;
  }
  bool negative = value < 0;
  coder.bit(model.negative, negative);
  auto magnitude = static_cast<uint32_t>(std::abs(value)) - 1;
  code_magnitude(coder, model.more, magnitude);
  value = static_cast<int32_t>(magnitude) + 1;
  value = negative ? -value : value;
}

// Levels of a DCT leaf; `levels` has room for max_levels.
template <typename Coder>
void code_levels(Coder& coder, PlaneModel& model, uint32_t size, uint16_t& count, int16_t* levels) {
  uint32_t coded_count = count - 1u;
  model.level_count[size].code(coder, coded_count);
  coded_count = std::min(coded_count + 1, max_levels(size + kMinLog2Side));
  count = static_cast<uint16_t>(coded_count);
  LevelModel& states = model.levels[size];
  uint32_t recent = 0;  // how many of the last two levels were not zero
  bool previous = false;
  for (uint32_t i = 0; i < coded_count; ++i) {
    const uint32_t band = i < 8 ? i : 8 + std::min((i - 8) / 6, 7u);
    bool significant = levels[i] != 0;
    if (i + 1 < coded_count) {
      coder.bit(states.significant[band][recent], significant);
    } else {
      significant = true;
    }
    recent = (significant ? 1u : 0u) + (previous ? 1u : 0u);
    previous = significant;
    if (!significant) {
      levels[i] = 0;
      continue;
    }
    auto magnitude = static_cast<uint32_t>(std::abs(int{levels[i]}));
    bool above_one = magnitude > 1;
    coder.bit(states.above_one[band], above_one);
    if (above_one) {
      magnitude -= 2;
      code_magnitude(coder, states.more, magnitude);
      magnitude = std::min(magnitude + 2, 32767u);
    } else {
      magnitude = 1;
    }
    uint32_t negative = levels[i] < 0 ? 1 : 0;
    coder.uniform(2, negative);
    const auto value = static_cast<int16_t>(magnitude);
    levels[i] = negative != 0 ? static_cast<int16_t>(-value) : value;
  }
}

// Where a fractal leaf's domain lies, and how it is laid on.
template <typename Coder>
void code_domain(Coder& coder, PlaneModel& model, uint32_t size, const DomainField& field,
                 Leaf& leaf) {
  uint32_t steps = static_cast<uint32_t>(std::abs(int{leaf.scale})) / kScaleStep - 1;
  model.scale[size].code(coder, steps);
  bool negative = leaf.scale < 0;
  coder.bit(model.negative_scale[size], negative);
  const int scale = (static_cast<int>(std::min(steps, kScaleSteps - 1u)) + 1) * kScaleStep;
  leaf.scale = static_cast<int8_t>(negative ? -scale : scale);
  uint32_t isometry = leaf.isometry;
  model.isometry[size].code(coder, isometry);
  leaf.isometry = static_cast<uint8_t>(isometry);
  const DomainPlace home = home_place(leaf.x, leaf.y, leaf.side(), field);
  uint32_t ring_number = ring_of({leaf.domain_x, leaf.domain_y}, home);
  model.ring[size].code(coder, ring_number);
  ring_number = std::min(ring_number, kRingCount - 1);
  const Ring ring(ring_number, home, field);
  const uint32_t count = ring.count();
  DomainPlace place = home;  // a damaged file may name an empty ring
  if (count > 0) {
    uint32_t index = ring.index_of({leaf.domain_x, leaf.domain_y});
    coder.uniform(count, index);
    place = ring.place_of(index);
  }
  leaf.domain_x = static_cast<uint16_t>(place.x);
  leaf.domain_y = static_cast<uint16_t>(place.y);
}

// What is known of the blocks already coded, in cells of 4x4 samples, with one row and column of
// border.
class Neighbourhood {
 public:
  Neighbourhood(uint32_t width, uint32_t height)
      : stride_(width / 4 + 1),
        mean_(size_t{stride_} * (height / 4 + 1), kMaxSample / 2),
        log2_side_(mean_.size(), static_cast<uint8_t>(kMaxLog2Side)),
        kind_(mean_.size(), LeafKind::kFlat) {}

  struct Context {
    int32_t predicted_mean = 0;
    int32_t spread = 0;  // how far left and upper neighbours are apart
  };

  Context predict(uint32_t x, uint32_t y, uint32_t side) const {
    const size_t at = index(x, y);
    const uint32_t cells = side / 4;
    if (x == 0 && y == 0) {
      return {kMaxSample / 2, kMaxSample};
    }
    int32_t left = 0;
    int32_t upper = 0;
    for (uint32_t i = 0; i < cells; ++i) {
      left += mean_[at - 1 + i * stride_];
      upper += mean_[at - stride_ + i];
    }
    left /= static_cast<int32_t>(cells);
    upper /= static_cast<int32_t>(cells);
    if (x == 0) {
      return {upper, 0};
    }
    if (y == 0) {
      return {left, 0};
    }
    const int32_t corner = mean_[at - stride_ - 1];
    const int32_t plane =
        std::clamp(left + upper - corner, std::min(left, upper), std::max(left, upper));
    return {(2 * plane + left + upper + 2) / 4, std::abs(left - upper)};
  }

  // How many of the left and the upper neighbour are smaller than a block of this size.
  uint32_t smaller_neighbours(uint32_t x, uint32_t y, uint32_t log2_side) const {
    const size_t at = index(x, y);
    return (log2_side_[at - 1] < log2_side ? 1u : 0u) +
           (log2_side_[at - stride_] < log2_side ? 1u : 0u);
  }
  uint32_t detailed_neighbours(uint32_t x, uint32_t y) const {
    const size_t at = index(x, y);
    return (kind_[at - 1] != LeafKind::kFlat ? 1u : 0u) +
           (kind_[at - stride_] != LeafKind::kFlat ? 1u : 0u);
  }
  uint32_t dct_neighbours(uint32_t x, uint32_t y) const {
    const size_t at = index(x, y);
    return (kind_[at - 1] == LeafKind::kDct ? 1u : 0u) +
           (kind_[at - stride_] == LeafKind::kDct ? 1u : 0u);
  }

  void remember(const Leaf& leaf) {
    const uint32_t cells = leaf.side() / 4;
    const size_t at = index(leaf.x, leaf.y);
    for (uint32_t y = 0; y < cells; ++y) {
      for (uint32_t x = 0; x < cells; ++x) {
        mean_[at + y * stride_ + x] = leaf.mean;
        log2_side_[at + y * stride_ + x] = leaf.log2_side;
        kind_[at + y * stride_ + x] = leaf.kind;
      }
    }
  }

 private:
  size_t index(uint32_t x, uint32_t y) const { return size_t{y / 4 + 1} * stride_ + x / 4 + 1; }

  size_t stride_;
  std::vector<int16_t> mean_;
  std::vector<uint8_t> log2_side_;
  std::vector<LeafKind> kind_;
};

inline uint32_t spread_class(int32_t spread, int32_t step) {
  return spread <= step ? 0 : (spread <= 4 * step ? 1 : 2);
}

}  // namespace tessera::fractal
