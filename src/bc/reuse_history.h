// Earlier blocks of a part of the picture, as what later ones could repeat of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bc/bc1_format.h"
#include "bc/bc1_presets.h"
#include "bc/rate_model.h"
#include "bc/reuse_costs.h"
#include "image/image.h"

namespace tessera::bc1 {

// The colours of a block, and sums over them that any selectors need.
struct BlockTexels {
  // Texels beyond the picture's edge repeat those at the edge.
  void load(const ImageView& image, uint32_t slice, uint32_t block_x, uint32_t block_y,
            const Settings& settings);
  // What a decoder makes of the block is off by so much: squares, times the channels' weights.
  float error(const Block& block, const Settings& settings) const;

  std::array<std::array<int, 3>, kBlockTexels> colors;
  std::array<float, 3> sums;     // of the colours
  std::array<float, 3> weights;  // of the channels
  float squares = 0;             // of all colours, weighted
  bool must_stay = false;        // it has texels that are to be transparent
  // For each row of texels and each byte of selectors: the sum of colours times their share of the
  // second end, in thirds; 16 bits for each channel.
  std::array<std::array<uint64_t, 256>, kBlockSide> row_sums;

  uint64_t sums_for(uint32_t selectors) const {
    return row_sums[0][selectors & 255] + row_sums[1][(selectors >> 8) & 255] +
           row_sums[2][(selectors >> 16) & 255] + row_sums[3][selectors >> 24];
  }
};

// Sums for given selectors, in thirds: `second` of colours times their share of the second end,
// `first` of the first.
struct SelectorSums {
  SelectorSums(const BlockTexels& texels, uint32_t selectors);
  // The ends with the least squared error, 0 to 255.
  void solve(std::array<float, 3> (&ends)[2]) const;

  std::array<float, 3> first;
  std::array<float, 3> second;
  float a;  // of squares of the second's shares
  float b;  // of products of both shares
  float c;  // of squares of the first's shares
};

// Bits of matches by their distance, the latest ones and the running one being cheap.
class ReuseCosts {
 public:
  explicit ReuseCosts(const RateModel& model);
  void prepare(const RateModel& model);
  void restore(const RateModel& model);

  // For distances of `count` down to 1.
  const float* selectors(size_t count) const { return &selectors_[kWindow - count]; }
  const float* ends(size_t count) const { return &ends_[kWindow - count]; }

 private:
  static constexpr size_t kWindow = RateModel::kMostDistance;
  std::array<float, kWindow> selectors_;
  std::array<float, kWindow> ends_;
};

class ReuseHistory {
 public:
  static constexpr size_t kWindow = RateModel::kMostDistance;
  static constexpr size_t kMostFound = 8;
  static_assert(kWindow <= size_t{1} << kCostIndexBits);

  ReuseHistory(const Settings& settings, size_t most);

  void add(const Block& block);
  size_t size() const { return size_; }
  uint32_t distance(size_t at) const { return static_cast<uint32_t>(size_ - at); }
  uint32_t selectors(size_t at) const { return selectors_[at]; }
  uint32_t ends(size_t at) const { return ends_[at]; }

  // The selectors that promise the least error and rate, each once, the best one first; and the
  // block that is the best as it is. Returns how many there are.
  unsigned best_selectors(const BlockTexels& texels, float lambda, const ReuseCosts& costs,
                          std::span<size_t> found, size_t& whole);
  // The best ends for selectors.
  size_t best_ends(const BlockTexels& texels, const SelectorSums& sums, float lambda,
                   const ReuseCosts& costs);

 private:
  EarlierEnds ends_from(size_t begin) const {
    return {&end0_[0][begin], &end0_[1][begin], &end0_[2][begin],
            &end1_[0][begin], &end1_[1][begin], &end1_[2][begin]};
  }
  size_t first() const { return size_ > kWindow ? size_ - kWindow : 0; }
  unsigned keep_best(size_t begin, size_t count, std::span<size_t> found) const;

  const Settings& settings_;
  size_t size_ = 0;
  std::vector<uint32_t> selectors_;
  std::vector<uint32_t> ends_;
  // Of the selectors: a, b and c over their determinant.
  std::vector<float> a_, b_, c_;
  // Of the ends: the colours, and their weighted products.
  std::array<std::vector<float>, 3> end0_, end1_;
  std::vector<float> product00_, product01_, product11_;
  std::vector<float> whole_;  // the part of the error of a whole block that no texel is in
  // Of the block at hand, for each earlier one.
  std::array<std::array<float, kWindow>, 3> second_;
  std::array<int32_t, kWindow> costs_;
  float scale_ = 1;  // from costs to their integers
};

}  // namespace tessera::bc1
