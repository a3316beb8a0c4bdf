// Loops over earlier blocks, for every instruction set: what it would cost to repeat a part of
// each.
//
// A cost is the squared error and the rate together, in halves, as an integer of 21 bits, above the
// number of the earlier block in the lowest ten bits: the least of all tells which block it is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::bc1 {

inline constexpr unsigned kCostIndexBits = 10;

struct EarlierSelectors {
  const float *a, *b, *c;                    // sums of shares over their determinant
  const float *second0, *second1, *second2;  // of the block at hand, for each of them
};

struct EarlierEnds {
  const float *r0, *g0, *b0, *r1, *g1, *b1;
};

// The best ends for the selectors of each earlier block, before rounding.
struct SelectorCosts {
  EarlierSelectors earlier;
  const float* bits;
  float total[3];   // of colours, in thirds
  float weight[3];  // of channels
  float squares;    // of colours
  float lambda;
  float scale;  // from costs to their integers
};
void cost_selectors(const SelectorCosts& given, size_t count, int32_t* out);

// Earlier blocks as they are.
struct WholeCosts {
  EarlierEnds ends;
  const float *second0, *second1, *second2;
  const float* fixed;  // the part of the error that no texel is in
  const float* bits;
  float total[3];
  float weight[3];  // times two thirds
  float squares;
  float lambda;
  float scale;
};
void cost_whole(const WholeCosts& given, size_t count, int32_t* out);

// The ends of earlier blocks, for given selectors.
struct EndCosts {
  EarlierEnds ends;
  const float *product00, *product01, *product11;
  const float* bits;
  float first[3];   // weighted sums of colours for the first end, times two thirds
  float second[3];  // for the second
  float a, b, c;    // sums of shares, in ninths; b twice
  float squares;
  float lambda;
  float scale;
};
void cost_ends(const EndCosts& given, size_t count, int32_t* out);

// The least of some costs.
int32_t least_cost(const int32_t* costs, size_t count);

}  // namespace tessera::bc1
