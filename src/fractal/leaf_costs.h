// Distortion and bits of what a block could be: flat, from a domain, or by DCT.
#pragma once

#include "fractal/choose_leaves.h"

namespace tessera::fractal {

// What a pass of decisions works with.
struct PassContext {
  const PlaneTask* task = nullptr;
  PlaneShape shape;
  LeafChoice choice = LeafChoice::kHybrid;
  double lambda = 0;  // squared pixel steps a bit
  RateModel rates;
  // Σ of squared decoding errors of the half-resolution image, as a summed-area table; empty in the
  // first pass.
  std::vector<double> error_area;
  Neighbourhood means;  // of the original blocks: predictions are estimated from them

  double domain_error(uint32_t x, uint32_t y, uint32_t side) const;
};

struct LeafChoiceResult {
  Leaf leaf;
  std::vector<int16_t> levels;
  double cost = 0;  // distortion + lambda · bits
};

// The best leaf for a block that is not split.
LeafChoiceResult choose_leaf(const PassContext& pass, uint32_t x, uint32_t y, uint32_t log2_side);

// The bits of a split flag.
double split_bits(const PassContext& pass, uint32_t log2_side, bool split);

// The scale of a domain that fits best, a multiple of kScaleStep from −1.5 to 1.5 without 0.
int best_scale(double covariance, double variance);

}  // namespace tessera::fractal
