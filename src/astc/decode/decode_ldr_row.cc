// The quick decoder: rows of LDR blocks to RGBA8, compiled once per target.
#include "astc/decode/decode_ldr_row.h"

#include <algorithm>
#include <cstring>

#include "astc/format/partition.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/decode/decode_ldr_row.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/decode/ldr_kernel-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The tables of one block size, looked up once per row.
struct LdrTables {
  explicit LdrTables(BlockSize block_size)
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

struct Buffers {
  alignas(64) uint8_t planes[2][kGridBuffer];
  alignas(64) uint8_t texels[2][kTexelBuffer];
  alignas(64) uint8_t rgba[4 * kTexelBuffer];
};

// Weights of one plane for all texels.
TESSERA_INLINE const uint8_t* texel_weights(const LdrTables& tables, GridSize grid,
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

// The texels' weights for each channel.
TESSERA_INLINE std::array<const uint8_t*, 4> channel_weights(const LdrTables& tables,
                                                             const LdrBlock& block, Buffers& b) {
  const BlockMode& mode = block.entry->mode;
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

template <typename Round>
TESSERA_INLINE void decode_weighted(LdrBlock& block, LdrTables& tables, const Round& round,
                                    Buffers& b) {
  unquantize_weights(block.entry->mode.weight_range, block.entry->weight_count,
                     block.weights.data());
  const auto weights = channel_weights(tables, block, b);
  const unsigned texel_count = tables.size.texel_count();
  if (block.partition_count == 1) {
    interpolate_texels<OnePartition>(block.colors, weights, nullptr, texel_count, round, b.rgba);
  } else {
    const uint8_t* pattern = tables.pattern(block.partition_count, block.partition_seed);
    interpolate_texels<ManyPartitions>(block.colors, weights, pattern, texel_count, round, b.rgba);
  }
}

void fill_texels(const Rgba8& color, unsigned count, uint8_t* rgba) {
  for (unsigned i = 0; i < count; ++i) {
    std::memcpy(rgba + 4 * i, color.data(), 4);
  }
}

// Copies a block to the picture. `room` is the number of texels from the block's left edge to the
// picture's right one: where there is more than the block needs, whole vectors may be written, as
// the next block comes later.
TESSERA_INLINE void write_block(const uint8_t* TESSERA_RESTRICT rgba, BlockSize size,
                                const RowTarget& target, uint32_t x) {
  const uint32_t room = target.width - x;
  const uint32_t whole = (size.width + 3u) / 4;  // vectors of four texels
  for (uint32_t z = 0; z < target.depth; ++z) {
    for (uint32_t y = 0; y < target.height; ++y) {
      uint8_t* out =
          target.pixels + z * target.slice_stride + y * target.row_stride + size_t{x} * 4;
      const uint8_t* in = rgba + (z * size.height + y) * size.width * 4u;
      if (room >= whole * 4) {
        for (uint32_t i = 0; i < whole; ++i) {
          lanes::store(lanes::load_bytes16(in + 16 * i), out + 16 * i);
        }
      } else {
        std::memcpy(out, in, size_t{std::min<uint32_t>(size.width, room)} * 4);
      }
    }
  }
}

// Block after block: unpacking several first and decoding them then was measured to be a tenth
// slower (branches of the second step follow from those of the first).
template <typename Round>
TESSERA_INLINE void decode_row(const uint8_t* blocks, LdrTables& tables, DecodeMode mode,
                               const Round& round, const RowTarget& target) {
  LdrBlock block;
  Buffers buffers{};
  for (uint32_t x = 0; x < target.width; x += tables.size.width, blocks += kBlockBytes) {
    unpack_ldr_block(load_block(blocks), tables.modes, mode, block);
    if (block.entry != nullptr) {
      decode_weighted(block, tables, round, buffers);
    } else {
      fill_texels(block.uniform_color, tables.size.texel_count(), buffers.rgba);
    }
    write_block(buffers.rgba, tables.size, target, x);
  }
}

void decode_ldr_row_on_target(const uint8_t* blocks, BlockSize size, DecodeMode mode,
                              const RowTarget& target) {
  LdrTables tables(size);
  if (mode == DecodeMode::kLdrFloat16) {
    decode_row(blocks, tables, mode, RoundFloat16{}, target);
  } else if (mode == DecodeMode::kLdrUnorm8) {
    decode_row(blocks, tables, mode, RoundUnorm8{}, target);
  } else {
    decode_row(blocks, tables, mode, RoundSrgb{}, target);
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::astc {

TESSERA_EXPORT(decode_ldr_row_on_target);

void decode_ldr_row(const uint8_t* blocks, BlockSize size, DecodeMode mode,
                    const RowTarget& target) {
  TESSERA_DISPATCH(decode_ldr_row_on_target)(blocks, size, mode, target);
}

}  // namespace tessera::astc
#endif  // TESSERA_ONCE
