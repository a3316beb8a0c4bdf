// Plain loops over blocks, compiled for every target so that the compiler's vectoriser can use
// each. See reconstruct.h.
#if defined(TESSERA_FRACTAL_RECONSTRUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FRACTAL_RECONSTRUCT_INL_H_
#undef TESSERA_FRACTAL_RECONSTRUCT_INL_H_
#else
#define TESSERA_FRACTAL_RECONSTRUCT_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "fractal/dct.h"
#include "fractal/isometry.h"
#include "fractal/reconstruct.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::fractal::HWY_NAMESPACE {

HWY_INLINE int16_t clamp_sample(int32_t value) {
  return static_cast<int16_t>(std::clamp(value, 0, kMaxSample));
}

HWY_INLINE int16_t clamp_word(int32_t value) {
  return static_cast<int16_t>(std::clamp(value, -32768, 32767));
}

// Calls call(std::integral_constant<uint32_t, n>) with n = log2_side for the sizes of our coder, so
// that loops have constant lengths, and with n = 0 for the large blocks of the paper's coder.
template <typename Call>
HWY_INLINE void with_fixed_size(uint32_t log2_side, const Call& call) {
  switch (log2_side) {
    case 2:
      return call(std::integral_constant<uint32_t, 2>());
    case 3:
      return call(std::integral_constant<uint32_t, 3>());
    case 4:
      return call(std::integral_constant<uint32_t, 4>());
    case 5:
      return call(std::integral_constant<uint32_t, 5>());
    default:
      return call(std::integral_constant<uint32_t, 0>());
  }
}

// A DCT leaf of 2^log2_side samples a side, times `gain`, into out (rows of `stride` samples).
template <uint32_t kLog2Side>
HWY_INLINE void render_dct_sized(const Leaf& leaf, const LeafList& list, uint32_t any_log2_side,
                                 int gain, int16_t* HWY_RESTRICT out, size_t stride) {
  const uint32_t log2_side = kLog2Side != 0 ? kLog2Side : any_log2_side;
  const ScanOrder& scan = scan_order(leaf.log2_side);
  const dct_detail::Basis& basis = dct_basis(log2_side);
  const uint32_t side = 1u << log2_side;
  int16_t rows[kMaxDctSide][kMaxBasisLength];  // transformed along x; those of `used`
  int32_t sums[kMaxDctSide][kMaxBasisLength];
  uint32_t used = 0;  // rows with a coefficient, as bits
  const int16_t* levels = list.levels.data() + leaf.first_level;
  for (uint32_t i = 0; i < leaf.level_count; ++i) {
    if (levels[i] == 0) {
      continue;
    }
    const int32_t value = clamp_word(levels[i] * list.dct_step * gain / kSampleUnit);
    const uint32_t row = scan.row[i + 1];
    const int16_t* HWY_RESTRICT wave = basis[scan.column[i + 1]].data();
    int32_t* HWY_RESTRICT sum = sums[row];
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
    const auto add_rows = [&](uint32_t bits, int32_t* HWY_RESTRICT line) HWY_ATTR {
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
    int16_t* HWY_RESTRICT upper = out + y * stride;
    int16_t* HWY_RESTRICT lower = out + (side - 1 - y) * stride;
    for (uint32_t x = 0; x < side; ++x) {
      upper[x] = clamp_sample((even[x] + odd[x]) >> 11);
      lower[x] = clamp_sample((even[x] - odd[x]) >> 11);
    }
  }
}

HWY_INLINE void render_dct(const Leaf& leaf, const LeafList& list, uint32_t log2_side, int gain,
                           int16_t* HWY_RESTRICT out, size_t stride) {
  with_fixed_size(log2_side, [&](auto fixed) HWY_ATTR {
    render_dct_sized<decltype(fixed)::value>(leaf, list, log2_side, gain, out, stride);
  });
}

// Paints a fractal leaf from the plane of half its resolution: mean + s·(T(D) − mean of D).
// `shift` scales the leaf's coordinates up: 0 for full size, 1 for twice the size.
template <uint32_t kLog2Side, typename Store>
HWY_INLINE void paint_fractal_sized(const Leaf& leaf, const Plane<int16_t>& source, uint32_t shift,
                                    const Store& store) {
  const uint32_t log2_side = kLog2Side != 0 ? kLog2Side : leaf.log2_side + shift;
  const uint32_t side = 1u << log2_side;
  const int16_t* domain =
      source.row(uint32_t{leaf.domain_y} << shift) + (size_t{leaf.domain_x} << shift);
  // Blocks of up to 2^13 samples a side: the sum of their samples may need more than 32 bits.
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
HWY_INLINE void paint_fractal(const Leaf& leaf, const Plane<int16_t>& source, uint32_t shift,
                              const Store& store) {
  with_fixed_size(leaf.log2_side + shift, [&](auto fixed) HWY_ATTR {
    paint_fractal_sized<decltype(fixed)::value>(leaf, source, shift, store);
  });
}

// One pass of a fractal leaf at half resolution, in place: its domain is averaged 2x2 first.
template <uint32_t kLog2Side>
HWY_INLINE void iterate_leaf_sized(const Leaf& leaf, Plane<int16_t>& half,
                                   int16_t* HWY_RESTRICT small) {
  const uint32_t log2_side = (kLog2Side != 0 ? kLog2Side : leaf.log2_side) - 1u;
  const uint32_t side = 1u << log2_side;
  int64_t total = 0;
  for (uint32_t y = 0; y < side; ++y) {
    const int16_t* HWY_RESTRICT upper = half.row(leaf.domain_y + 2 * y) + leaf.domain_x;
    const int16_t* HWY_RESTRICT lower = half.row(leaf.domain_y + 2 * y + 1) + leaf.domain_x;
    int16_t* HWY_RESTRICT out = small + size_t{y} * side;
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
    int16_t* HWY_RESTRICT out = half.row(leaf.y / 2u + y) + leaf.x / 2u;
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

HWY_INLINE void iterate_leaf(const Leaf& leaf, Plane<int16_t>& half,
                             std::vector<int16_t>& scratch) {
  const size_t samples = size_t{1} << (2 * (leaf.log2_side - 1u));
  if (scratch.size() < samples) {
    scratch.resize(samples);
  }
  with_fixed_size(leaf.log2_side, [&](auto fixed) HWY_ATTR {
    iterate_leaf_sized<decltype(fixed)::value>(leaf, half, scratch.data());
  });
}

// Every 2x2 of a full-size block averaged into the half-resolution plane.
HWY_INLINE void shrink_block(const int16_t* HWY_RESTRICT block, uint32_t side, const Leaf& leaf,
                             Plane<int16_t>& half) {
  for (uint32_t y = 0; y < side / 2; ++y) {
    const int16_t* HWY_RESTRICT upper = block + size_t{2 * y} * side;
    const int16_t* HWY_RESTRICT lower = upper + side;
    int16_t* HWY_RESTRICT out = half.row(leaf.y / 2u + y) + leaf.x / 2u;
    for (uint32_t x = 0; x < side / 2; ++x) {
      out[x] = static_cast<int16_t>(
          (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1] + 2) >> 2);
    }
  }
}

}  // namespace tessera::fractal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_FRACTAL_RECONSTRUCT_INL_H_
