// The quick decoder of LDR: rows of blocks to RGBA8, compiled once per target.
#include "astc/decode/decode_ldr_row.h"

#include <algorithm>
#include <cstring>

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/decode/decode_ldr_row.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/decode/ldr_kernel-inl.h"
#include "astc/decode/texel_weights-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

struct Buffers {
  WeightBuffers weights;
  alignas(64) uint8_t rgba[4 * kTexelBuffer];
};

template <typename Round>
TESSERA_INLINE void decode_weighted(LdrBlock& block, DecodeRowTables& tables, const Round& round,
                                    Buffers& b) {
  const auto weights = channel_weights(tables, block, b.weights);
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
TESSERA_INLINE void decode_row(const uint8_t* blocks, DecodeRowTables& tables, DecodeMode mode,
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
  DecodeRowTables tables(size);
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
