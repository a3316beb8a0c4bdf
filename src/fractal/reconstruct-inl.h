// Loops over blocks, compiled for every target: most are plain ones for the compiler's vectoriser.
// See reconstruct.h.
#if defined(TESSERA_FRACTAL_RECONSTRUCT_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_FRACTAL_RECONSTRUCT_INL_H_
#undef TESSERA_FRACTAL_RECONSTRUCT_INL_H_
#else
#define TESSERA_FRACTAL_RECONSTRUCT_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "fractal/dct.h"
#include "fractal/fixed_size-inl.h"
#include "fractal/isometry.h"
#include "fractal/reconstruct.h"
#include "spmd/lanes-inl.h"
#include "spmd/texels-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::fractal::TESSERA_TARGET {

namespace lanes = ::tessera::TESSERA_TARGET;

TESSERA_INLINE int16_t clamp_sample(int32_t value) {
  return static_cast<int16_t>(std::clamp(value, 0, kMaxSample));
}

TESSERA_INLINE int16_t clamp_word(int32_t value) {
  return static_cast<int16_t>(std::clamp(value, -32768, 32767));
}

// The second half of an inverse transform, down the columns: `sums` are the rows that `used` names,
// transformed along x. Waves are added two at a time, as sums of products of 16-bit pairs: even
// ones apart from odd ones, as even waves are the same upside down and odd ones the same negated.
template <uint32_t kLog2Side>
TESSERA_INLINE void add_waves_in_lanes(const int32_t (*sums)[kMaxBasisLength], uint32_t used,
                                       int32_t mean, int16_t* TESSERA_RESTRICT out, size_t stride) {
  using lanes::all_lanes;
  using lanes::I16x2;
  using lanes::I32;
  constexpr uint32_t kSide = 1u << kLog2Side;
  constexpr uint32_t kPairs[4][2] = {{0, 2}, {4, 6}, {1, 3}, {5, 7}};
  const dct_detail::Basis& basis = dct_basis(kLog2Side);
  TESSERA_ALIGN int16_t pairs[4][2 * kSide];
  bool is_used[4];
  for (uint32_t p = 0; p < 4; ++p) {
    is_used[p] = false;
    for (uint32_t i = 0; i < 2; ++i) {
      is_used[p] = is_used[p] || (used >> kPairs[p][i] & 1) != 0;
    }
    for (uint32_t i = 0; is_used[p] && i < 2; ++i) {
      const bool is_zero = (used >> kPairs[p][i] & 1) == 0;
      const int32_t* TESSERA_RESTRICT sum = sums[kPairs[p][i]];
      for (uint32_t x = 0; x < kSide; ++x) {
        pairs[p][2 * x + i] = is_zero ? int16_t{0} : clamp_word((sum[x] + (1 << 10)) >> 11);
      }
    }
  }
  const I32 start = all_lanes((mean << 11) + (1 << 10));
  const I32 lowest = all_lanes(0), highest = all_lanes(kMaxSample);
  for (uint32_t y = 0; y < kSide / 2; ++y) {
    I16x2 weights[4];
    for (uint32_t p = 0; p < 4; ++p) {
      const auto low = static_cast<uint16_t>(basis[kPairs[p][0]][y]);
      const auto high = static_cast<uint16_t>(basis[kPairs[p][1]][y]);
      weights[p] = lanes::as_i16x2(all_lanes(static_cast<int32_t>(low | uint32_t{high} << 16)));
    }
    for (uint32_t x = 0; x < kSide; x += static_cast<uint32_t>(lanes::lane_count())) {
      I32 sum[2] = {start, all_lanes(0)};
      for (uint32_t p = 0; p < 4; ++p) {
        if (is_used[p]) {
          sum[p / 2] =
              lanes::accumulate_pairs(sum[p / 2], lanes::load_i16x2(pairs[p] + 2 * x), weights[p]);
        }
      }
      const I32 upper = lanes::shift_right_arithmetic<11>(sum[0] + sum[1]);
      const I32 lower = lanes::shift_right_arithmetic<11>(sum[0] - sum[1]);
      lanes::store_low_halves(lanes::min(lanes::max(upper, lowest), highest), out + y * stride + x);
      lanes::store_low_halves(lanes::min(lanes::max(lower, lowest), highest),
                              out + (kSide - 1 - y) * stride + x);
    }
  }
}

// Adds the waves along y of a leaf of any size, without lanes: `sums` are its rows,
// transformed along x; `used` says by bits which of them there are.
TESSERA_INLINE void add_waves_plainly(const int32_t (*sums)[kMaxBasisLength], uint32_t used,
                                      const Leaf& leaf, uint32_t log2_side,
                                      int16_t* TESSERA_RESTRICT out, size_t stride) {
  const dct_detail::Basis& basis = dct_basis(log2_side);
  const uint32_t side = 1u << log2_side;
  int16_t rows[kMaxDctSide][kMaxBasisLength];
  for (uint32_t row = 0; row < kMaxDctSide; ++row) {
    if ((used >> row & 1) != 0) {
      for (uint32_t x = 0; x < side; ++x) {
        rows[row][x] = clamp_word((sums[row][x] + (1 << 10)) >> 11);
      }
    }
  }
  // Even waves are the same upside down, odd ones the same negated: two lines at a time.
  constexpr uint32_t kEvenRows = 0x55555555u;
  for (uint32_t y = 0; y < side / 2; ++y) {
    int32_t even[kMaxBasisLength];
    int32_t odd[kMaxBasisLength];
    const int32_t start = (leaf.mean << 11) + (1 << 10);
    for (uint32_t x = 0; x < side; ++x) {
      even[x] = start;
      odd[x] = 0;
    }
    const auto add_rows = [&](uint32_t bits, int32_t* TESSERA_RESTRICT line) TESSERA_LAMBDA {
      for (; bits != 0; bits &= bits - 1) {
        const auto row = static_cast<uint32_t>(__builtin_ctz(bits));
        const int32_t weight = basis[row][y];
        for (uint32_t x = 0; x < side; ++x) {
          line[x] += weight * rows[row][x];
        }
      }
    };
    add_rows(used & kEvenRows, even);
    add_rows(used & ~kEvenRows, odd);
    int16_t* TESSERA_RESTRICT upper = out + y * stride;
    int16_t* TESSERA_RESTRICT lower = out + (side - 1 - y) * stride;
    for (uint32_t x = 0; x < side; ++x) {
      upper[x] = clamp_sample((even[x] + odd[x]) >> 11);
      lower[x] = clamp_sample((even[x] - odd[x]) >> 11);
    }
  }
}

// A DCT leaf of 2^log2_side samples per side, times `gain`, into out (rows of `stride` samples).
template <uint32_t kLog2Side>
TESSERA_INLINE void render_dct_sized(const Leaf& leaf, const LeafList& list, uint32_t any_log2_side,
                                     int gain, int16_t* TESSERA_RESTRICT out, size_t stride) {
  const uint32_t log2_side = kLog2Side != 0 ? kLog2Side : any_log2_side;
  const ScanOrder& scan = scan_order(leaf.log2_side);
  const dct_detail::Basis& basis = dct_basis(log2_side);
  const uint32_t side = 1u << log2_side;
  int32_t sums[kMaxDctSide][kMaxBasisLength];
  uint32_t used = 0;  // rows with a coefficient, as bits
  TESSERA_ALIGN int16_t levels[kMaxLevels] = {};
  std::copy_n(list.levels.data() + leaf.first_level, leaf.level_count, levels);
  static_assert(kMaxLevels == 64);
  // As bits: to test levels one by one would cost a wrongly foreseen branch every few levels.
  for (uint64_t left = lanes::places_of_nonzero(levels); left != 0; left &= left - 1) {
    const auto i = static_cast<uint32_t>(__builtin_ctzll(left));
    const int32_t value = clamp_word(levels[i] * list.dct_step * gain / kSampleUnit);
    const uint32_t row = scan.row[i + 1];
    const int16_t* TESSERA_RESTRICT wave = basis[scan.column[i + 1]].data();
    int32_t* TESSERA_RESTRICT sum = sums[row];
    if ((used >> row & 1) == 0) {
      used |= 1u << row;
      for (uint32_t x = 0; x < side; ++x) {
        sum[x] = value * wave[x];
      }
    } else {
      for (uint32_t x = 0; x < side; ++x) {
        sum[x] += value * wave[x];
      }
    }
  }
  if constexpr (kLog2Side != 0) {
    if (side >= lanes::lane_count()) {
      add_waves_in_lanes<kLog2Side>(sums, used, leaf.mean, out, stride);
      return;
    }
  }
  add_waves_plainly(sums, used, leaf, log2_side, out, stride);
}

TESSERA_INLINE void render_dct(const Leaf& leaf, const LeafList& list, uint32_t log2_side, int gain,
                               int16_t* TESSERA_RESTRICT out, size_t stride) {
  with_fixed_size(log2_side, [&](auto fixed) TESSERA_LAMBDA {
    render_dct_sized<decltype(fixed)::value>(leaf, list, log2_side, gain, out, stride);
  });
}

// Paints a fractal leaf from the plane of half its resolution: mean + s·(T(D) − mean of D).
// `shift` scales the leaf's coordinates up: 0 for full size, 1 for twice the size.
template <uint32_t kLog2Side, typename Store>
TESSERA_INLINE void paint_fractal_sized(const Leaf& leaf, const Plane<int16_t>& source,
                                        uint32_t shift, const Store& store) {
  const uint32_t log2_side = kLog2Side != 0 ? kLog2Side : leaf.log2_side + shift;
  const uint32_t side = 1u << log2_side;
  const int16_t* domain =
      source.row(uint32_t{leaf.domain_y} << shift) + (size_t{leaf.domain_x} << shift);
  // Blocks of up to 2^13 samples per side: the sum of their samples may need more than 32 bits.
  int64_t total = 0;
  for (uint32_t y = 0; y < side; ++y) {
    int32_t row_sum = 0;
    for (uint32_t x = 0; x < side; ++x) {
      row_sum += domain[size_t{y} * source.width + x];
    }
    total += row_sum;
  }
  const auto mean =
      static_cast<int32_t>((total + (int64_t{1} << (2 * log2_side - 1))) >> (2 * log2_side));
  const int32_t scale = leaf.scale;
  const int32_t offset = leaf.mean * kScaleUnit - scale * mean + kScaleUnit / 2;
  const Traversal way = traversal(leaf.isometry, side, source.width);
  const int16_t* start = domain + way.base;
  for (uint32_t y = 0; y < side; ++y) {
    const int16_t* line = start + static_cast<ptrdiff_t>(y) * way.step_y;
    if (way.step_x == 1) {
      for (uint32_t x = 0; x < side; ++x) {
        store(x, y, clamp_sample((scale * line[x] + offset) >> 5));
      }
    } else {
      for (uint32_t x = 0; x < side; ++x) {
        store(x, y,
              clamp_sample((scale * line[static_cast<ptrdiff_t>(x) * way.step_x] + offset) >> 5));
      }
    }
  }
}
static_assert(kScaleUnit == 32);

template <typename Store>
TESSERA_INLINE void paint_fractal(const Leaf& leaf, const Plane<int16_t>& source, uint32_t shift,
                                  const Store& store) {
  with_fixed_size(leaf.log2_side + shift, [&](auto fixed) TESSERA_LAMBDA {
    paint_fractal_sized<decltype(fixed)::value>(leaf, source, shift, store);
  });
}

// One pass of a fractal leaf at half resolution, in place: its domain is averaged 2x2 first.
template <uint32_t kLog2Side>
TESSERA_INLINE void iterate_leaf_sized(const Leaf& leaf, Plane<int16_t>& half,
                                       int16_t* TESSERA_RESTRICT small) {
  const uint32_t log2_side = (kLog2Side != 0 ? kLog2Side : leaf.log2_side) - 1u;
  const uint32_t side = 1u << log2_side;
  int64_t total = 0;
  for (uint32_t y = 0; y < side; ++y) {
    const int16_t* TESSERA_RESTRICT upper = half.row(leaf.domain_y + 2 * y) + leaf.domain_x;
    const int16_t* TESSERA_RESTRICT lower = half.row(leaf.domain_y + 2 * y + 1) + leaf.domain_x;
    int16_t* TESSERA_RESTRICT out = small + size_t{y} * side;
    int32_t row_sum = 0;
    for (uint32_t x = 0; x < side; ++x) {
      const int32_t four = upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1];
      out[x] = static_cast<int16_t>(four);  // at most 4·255·16
      row_sum += four;
    }
    total += row_sum;
  }
  const auto mean =
      static_cast<int32_t>((total + (int64_t{1} << (2 * log2_side - 1))) >> (2 * log2_side));
  const int32_t scale = leaf.scale;
  const int32_t offset = leaf.mean * 4 * kScaleUnit - scale * mean + 2 * kScaleUnit;
  const Traversal way = traversal(leaf.isometry, side, side);
  const int16_t* start = small + way.base;
  for (uint32_t y = 0; y < side; ++y) {
    int16_t* TESSERA_RESTRICT out = half.row(leaf.y / 2u + y) + leaf.x / 2u;
    const int16_t* line = start + static_cast<ptrdiff_t>(y) * way.step_y;
    if (way.step_x == 1) {
      for (uint32_t x = 0; x < side; ++x) {
        out[x] = clamp_sample((scale * line[x] + offset) >> 7);
      }
    } else {
      for (uint32_t x = 0; x < side; ++x) {
        out[x] = clamp_sample((scale * line[static_cast<ptrdiff_t>(x) * way.step_x] + offset) >> 7);
      }
    }
  }
}

TESSERA_INLINE void iterate_leaf(const Leaf& leaf, Plane<int16_t>& half,
                                 std::vector<int16_t>& scratch) {
  const size_t samples = size_t{1} << (2 * (leaf.log2_side - 1u));
  if (scratch.size() < samples) {
    scratch.resize(samples);
  }
  with_fixed_size(leaf.log2_side, [&](auto fixed) TESSERA_LAMBDA {
    iterate_leaf_sized<decltype(fixed)::value>(leaf, half, scratch.data());
  });
}

// Every 2x2 of a full-size block averaged into the half-resolution plane.
template <uint32_t kLog2Side>
TESSERA_INLINE void shrink_block_sized(const int16_t* TESSERA_RESTRICT block, uint32_t any_side,
                                       const Leaf& leaf, Plane<int16_t>& half) {
  const uint32_t side = kLog2Side != 0 ? 1u << kLog2Side : any_side;
  for (uint32_t y = 0; y < side / 2; ++y) {
    const int16_t* TESSERA_RESTRICT upper = block + size_t{2 * y} * side;
    const int16_t* TESSERA_RESTRICT lower = upper + side;
    int16_t* TESSERA_RESTRICT out = half.row(leaf.y / 2u + y) + leaf.x / 2u;
    for (uint32_t x = 0; x < side / 2; ++x) {
      out[x] = static_cast<int16_t>(
          (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1] + 2) >> 2);
    }
  }
}

TESSERA_INLINE void shrink_block(const int16_t* TESSERA_RESTRICT block, const Leaf& leaf,
                                 Plane<int16_t>& half) {
  with_fixed_size(leaf.log2_side, [&](auto fixed) TESSERA_LAMBDA {
    shrink_block_sized<decltype(fixed)::value>(block, leaf.side(), leaf, half);
  });
}

}  // namespace tessera::fractal::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_FRACTAL_RECONSTRUCT_INL_H_
