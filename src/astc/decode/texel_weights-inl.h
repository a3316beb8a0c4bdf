// The vector stages of the quick decoders that come before colours: weights of the grid, weights of
// the texels. One lane is one texel.
//
// (Not one block per lane, as in the encoders: neighbouring blocks hardly ever share a block mode.)
//
// Include inside a file that is compiled once per target (spmd/for_each_target.h).
#if defined(TESSERA_ASTC_TEXEL_WEIGHTS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_TEXEL_WEIGHTS_INL_H_
#undef TESSERA_ASTC_TEXEL_WEIGHTS_INL_H_
#else
#define TESSERA_ASTC_TEXEL_WEIGHTS_INL_H_
#endif

#include <cstdint>
#include <span>

#include "astc/decode/infill_rows.h"
#include "astc/decode/weighted_block.h"
#include "astc/format/infill.h"
#include "astc/format/partition.h"
#include "astc/format/quantization.h"
#include "spmd/texels-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

namespace lanes = tessera::TESSERA_TARGET;

// Buffers are read and written in whole vectors of at most 32 texels: up to this many bytes past
// what is used.
inline constexpr size_t kPadding = 64;
inline constexpr size_t kGridBuffer = kMaxWeights + kPadding;
inline constexpr size_t kTexelBuffer = kMaxBlockTexels + kPadding;

// Codes to weights of 0…64 in place, 16 at a time; up to 15 bytes more than `count` are changed.
TESSERA_INLINE void unquantize_weights(IntegerRange range, unsigned count, uint8_t* weights) {
  using lanes::Bytes16;
  const uint8_t* table = weight_table(range).value_of_code.data();
  const Bytes16 first = lanes::load_bytes16(table);
  const Bytes16 second = lanes::load_bytes16(table + 16);
  const bool is_long = range_levels(range) > 16;
  for (unsigned i = 0; i < count; i += 16) {
    const Bytes16 code = lanes::load_bytes16(weights + i);
    Bytes16 weight = lanes::look_up_low_bits(first, code);
    if (is_long) {
      const Bytes16 high = lanes::look_up_low_bits(second, code);
      weight = lanes::select_above_15(code, high, weight);
    }
    lanes::store(weight, weights + i);
  }
}

// Takes alternating planes apart; `count` weights each, up to 15 bytes more are written.
TESSERA_INLINE void split_planes(const uint8_t* TESSERA_RESTRICT weights, unsigned count,
                                 uint8_t* TESSERA_RESTRICT plane0,
                                 uint8_t* TESSERA_RESTRICT plane1) {
  for (unsigned i = 0; i < count; i += 16) {
    lanes::Bytes16 even;
    lanes::Bytes16 odd;
    lanes::load_even_and_odd(weights + 2 * i, even, odd);
    lanes::store(even, plane0 + i);
    lanes::store(odd, plane1 + i);
  }
}

// Grid to texels in 2D. Writes up to 7 bytes past the last texel.
TESSERA_INLINE void infill_2d(const InfillGrid& grid, BlockSize size,
                              const uint8_t* TESSERA_RESTRICT weights,
                              uint8_t* TESSERA_RESTRICT texels) {
  using lanes::Bytes16;
  using lanes::Words8;
  const Words8 eight = lanes::all_words8(8);
  const InfillFactors* factors = grid.factors.data();
  for (unsigned y = 0; y < size.height; ++y) {
    const Bytes16 upper = lanes::load_bytes16(weights + grid.upper_row[y]);
    const Bytes16 lower = lanes::load_bytes16(weights + grid.lower_row[y]);
    for (unsigned group = 0; group < grid.groups; ++group, ++factors) {
      const Bytes16 left = lanes::load_bytes16(grid.columns[group].left.data());
      const Bytes16 right = lanes::load_bytes16(grid.columns[group].right.data());
      const auto product = [&](Bytes16 row, Bytes16 columns,
                               const std::array<uint16_t, 8>& factor) TESSERA_LAMBDA {
        const Words8 weight = lanes::as_words8(lanes::look_up_or_zero(row, columns));
        return weight * lanes::load_words8(factor.data());
      };
      const Words8 above =
          product(upper, left, factors->upper_left) + product(upper, right, factors->upper_right);
      const Words8 below =
          product(lower, left, factors->lower_left) + product(lower, right, factors->lower_right);
      lanes::store_as_bytes(lanes::shift_right_logical<4>(above + below + eight),
                            texels + y * size.width + group * 8);
    }
  }
}

// Grid to texels by general taps; for 3D.
inline void infill_by_taps(std::span<const InfillTap> taps, const uint8_t* weights,
                           uint8_t* texels) {
  for (size_t i = 0; i < taps.size(); ++i) {
    unsigned sum = 8;
    for (unsigned k = 0; k < 4; ++k) {
      sum += unsigned{taps[i].factor[k]} * weights[taps[i].grid[k]];
    }
    texels[i] = static_cast<uint8_t>(sum >> 4);
  }
}

// The tables of one block size, looked up once per row.
struct DecodeRowTables {
  explicit DecodeRowTables(BlockSize block_size)
      : size(block_size),
        modes(block_mode_table(block_size)),
        rows(block_size.is_3d() ? nullptr : &infill_rows(block_size)),
        taps(block_size.is_3d() ? &infill_table(block_size) : nullptr) {}

  // Patterns of 2 to 4 partitions, made when the first block asks for them.
  const uint8_t* pattern(unsigned partition_count, unsigned seed) {
    const PartitionTable*& table = partitions[partition_count - 2];
    if (table == nullptr) {
      table = &partition_table(size, partition_count);
    }
    return table->pattern(seed).data();
  }

  BlockSize size;
  const BlockModeTable& modes;
  const InfillRows* rows;   // of 2D blocks
  const InfillTable* taps;  // of 3D blocks
  std::array<const PartitionTable*, 3> partitions{};
};

struct WeightBuffers {
  alignas(64) uint8_t planes[2][kGridBuffer];
  alignas(64) uint8_t texels[2][kTexelBuffer];
};

// Weights of one plane for all texels.
TESSERA_INLINE const uint8_t* texel_weights(const DecodeRowTables& tables, GridSize grid,
                                            const uint8_t* plane, uint8_t* texels) {
  if (tables.rows == nullptr) {
    infill_by_taps(tables.taps->taps(grid), plane, texels);
    return texels;
  }
  const InfillGrid& infill = tables.rows->grid(grid);
  if (infill.is_identity) {
    return plane;
  }
  infill_2d(infill, tables.size, plane, texels);
  return texels;
}

// The texels' weights for each channel. The block's codes become weights.
TESSERA_INLINE std::array<const uint8_t*, 4> channel_weights(const DecodeRowTables& tables,
                                                             WeightedBlock& block,
                                                             WeightBuffers& b) {
  const BlockMode& mode = block.entry->mode;
  unquantize_weights(mode.weight_range, block.entry->weight_count, block.weights.data());
  std::array<const uint8_t*, 4> weights;
  if (!mode.dual_plane) {
    weights.fill(texel_weights(tables, mode.grid, block.weights.data(), b.texels[0]));
    return weights;
  }
  split_planes(block.weights.data(), mode.grid.count(), b.planes[0], b.planes[1]);
  weights.fill(texel_weights(tables, mode.grid, b.planes[0], b.texels[0]));
  weights[block.plane2_channel] = texel_weights(tables, mode.grid, b.planes[1], b.texels[1]);
  return weights;
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_TEXEL_WEIGHTS_INL_H_
