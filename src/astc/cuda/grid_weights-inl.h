// The weights of texels from those of the grid, by a thread of a device, row by row.
#pragma once

#include <bit>
#include <type_traits>

#include "astc/cuda/decode_tables.h"
#include "astc/cuda/read_values-inl.h"

namespace tessera::astc::device {

// The sum of four bytes, each times its share.
TESSERA_DECODE_INLINE uint32_t add_shares(uint32_t bytes, uint32_t shares, uint32_t sum) {
#ifdef __CUDA_ARCH__
  return __dp4a(bytes, shares, sum);
#else
  for (uint32_t i = 0; i < 32; i += 8) {
    sum += ((bytes >> i) & 0xFF) * ((shares >> i) & 0xFF);
  }
  return sum;
#endif
}

// Where the texels of a row lie between two rows of the grid. Grids with a weight for each texel
// are no special case: their texels lie on the weights.
struct GridRow {
  uint32_t above, below;  // numbers of the first weights; the same where those below do not count
  uint32_t below_share;   // of 16
  uint32_t step;          // from a texel to the next, in 1024ths of the way between two weights
};

TESSERA_DECODE_INLINE GridRow grid_row(const DeviceBlockMode& mode, const DecodeShape& shape,
                                       uint32_t y) {
  const uint32_t t = (shape.step_y * y * (mode.grid_y - 1u) + 32) >> 6;
  GridRow row;
  row.above = (t >> 4) * mode.grid_x;
  row.below_share = t & 15;
  row.below = row.above + (row.below_share != 0 ? mode.grid_x : 0u);
  row.step = shape.step_x * (mode.grid_x - 1u);
  return row;
}

// Calls work(width) with a constant: the width of blocks, or 0 where there is no code for it alone.
template <class Work>
void with_width(uint32_t width, const Work& work) {
  switch (width) {
    case 4:
      return work(std::integral_constant<unsigned, 4>());
    case 5:
      return work(std::integral_constant<unsigned, 5>());
    case 6:
      return work(std::integral_constant<unsigned, 6>());
    case 8:
      return work(std::integral_constant<unsigned, 8>());
    default:
      return work(std::integral_constant<unsigned, 0>());
  }
}

// Weights of a row of the grid, by plane; eight of each at most.
struct GridBytes {
  uint32_t first[2], second[2];
};

// Where the grid is narrower than kCount, others follow.
template <unsigned kCount, class Storage>
TESSERA_DECODE_INLINE GridBytes load_grid_row(uint32_t position, bool is_dual, Storage& storage) {
  // Two planes lie weight by weight.
  const uint32_t own = is_dual ? 0x6420u : 0x3210u;
  if constexpr (kCount > 4) {
    const StoredBytes<4> all(position << (is_dual ? 1 : 0), storage);
    return {{pick_bytes(all.words[0], all.words[1], own),
             is_dual ? pick_bytes(all.words[2], all.words[3], own) : all.words[1]},
            {pick_bytes(all.words[0], all.words[1], 0x7531),
             pick_bytes(all.words[2], all.words[3], 0x7531)}};
  } else {
    const StoredBytes<2> all(position << (is_dual ? 1 : 0), storage);
    return {{pick_bytes(all.words[0], all.words[1], own), 0},
            {pick_bytes(all.words[0], all.words[1], 0x7531), 0}};
  }
}

// A texel's place in a row.
struct RowPlace {
  uint32_t at;     // the weight on its left
  uint32_t right;  // share of the next one, of 16
  uint32_t both;   // share of the one that is right and below

  TESSERA_DECODE_INLINE RowPlace(const GridRow& row, uint32_t x) {
    const uint32_t s = (row.step * x + 32) >> 6;
    at = s >> 4;
    right = s & 15;
    both = (right * row.below_share + 8) >> 4;
  }
};

// A weight w as the float 1 + w / 128, whose upper half is 0x3F80 + w: of the sum of 16 shares of
// weights, to which kSumOfNothing has been added. It rounds, too.
inline constexpr uint32_t kSumOfNothing = 16 * 0x3F80 + 8;

TESSERA_DECODE_INLINE float weight_of_sum(uint32_t sum) {
  const uint32_t bits = (sum >> 4) << 16;
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  return std::bit_cast<float>(bits);
#endif
}

// The weights of a row's texels. kWidth: the block's, or 0 as in with_width().
template <unsigned kWidth, class Storage>
class WeightRow {
 public:
  TESSERA_DECODE_INLINE WeightRow(const GridRow& row, bool is_dual, Storage& storage)
      : row_(row), is_dual_(is_dual), storage_(storage) {
    if constexpr (kWidth > 0) {
      above_ = load_grid_row<kWidth>(row.above, is_dual, storage);
      below_ = load_grid_row<kWidth>(row.below, is_dual, storage);
    }
  }

  TESSERA_DECODE_INLINE float first(const RowPlace& place) const {
    if constexpr (kWidth > 0) {
      return weight(place, above_.first, below_.first);
    } else {
      return weight_anywhere(place, is_dual_ ? 0x20u : 0x10u);
    }
  }
  TESSERA_DECODE_INLINE float second(const RowPlace& place) const {
    if constexpr (kWidth > 0) {
      return weight(place, above_.second, below_.second);
    } else {
      return weight_anywhere(place, 0x31);
    }
  }

 private:
  TESSERA_DECODE_INLINE float weight(const RowPlace& place, const uint32_t above[2],
                                     const uint32_t below[2]) const {
    if constexpr (kWidth > 4) {
      const uint32_t pair = place.at * 0x11 + 0x10;
      return weight_of_pairs(place, pick_bytes(above[0], above[1], pair),
                             pick_bytes(below[0], below[1], pair));
    } else {
      // Of four bytes: 16 - right - below + both, right - both, below - both, both.
      const uint32_t shares = 16 + 0xFFFF * row_.below_share + 255 * place.right +
                              (0x1000000 - 0x10000 - 255) * place.both;
      const uint32_t around = pick_bytes(above[0], below[0], place.at * 0x1111 + 0x5410);
      return weight_of_sum(add_shares(around, shares, kSumOfNothing));
    }
  }

  // Of the weight on the left and the next one, in the two lowest bytes.
  TESSERA_DECODE_INLINE float weight_of_pairs(const RowPlace& place, uint32_t above,
                                              uint32_t below) const {
    const uint32_t upper = 16 - row_.below_share + 255 * (place.right - place.both);
    const uint32_t lower = row_.below_share + 255 * place.both;
    return weight_of_sum(add_shares(below, lower, add_shares(above, upper, kSumOfNothing)));
  }

  TESSERA_DECODE_INLINE float weight_anywhere(const RowPlace& place, uint32_t pair) const {
    const uint32_t planes = is_dual_ ? 2 : 1;
    const StoredBytes<1> above((row_.above + place.at) * planes, storage_);
    const StoredBytes<1> below((row_.below + place.at) * planes, storage_);
    return weight_of_pairs(place, pick_bytes(above.words[0], 0, pair | 0x4400),
                           pick_bytes(below.words[0], 0, pair | 0x4400));
  }

  const GridRow& row_;
  bool is_dual_;
  Storage& storage_;
  GridBytes above_, below_;
};

}  // namespace tessera::astc::device
