// The quick decoder of HDR: rows of blocks to half floats, compiled once per target.
#include "astc/decode/decode_hdr_row.h"

#include <algorithm>
#include <cstring>

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/decode/decode_hdr_row.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/decode/hdr_kernel-inl.h"
#include "astc/decode/texel_weights-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Numbers of texels, one for each lane.
using TexelNumbers = int32_t[kTexelBuffer];

struct HdrBuffers {
  WeightBuffers weights;
  alignas(64) TexelNumbers plane_weights[2];
  alignas(64) TexelNumbers partitions;
  alignas(64) TexelNumbers red_green;
  alignas(64) TexelNumbers blue_alpha;
  std::array<Texel, kMaxBlockTexels> texels;
};

TESSERA_INLINE void widen(const uint8_t* TESSERA_RESTRICT bytes, unsigned count,
                          int32_t* TESSERA_RESTRICT numbers) {
  for (unsigned i = 0; i < count; ++i) {
    numbers[i] = bytes[i];
  }
}

// The texels' weights for each channel, as numbers of lanes.
TESSERA_INLINE std::array<const int32_t*, 4> wide_weights(HdrBlock& block,
                                                          const DecodeRowTables& tables,
                                                          HdrBuffers& b) {
  const unsigned count = tables.size.texel_count();
  const auto bytes = channel_weights(tables, block, b.weights);
  const bool dual_plane = block.entry->mode.dual_plane;
  const unsigned second = dual_plane ? block.plane2_channel : 4u;
  widen(bytes[second == 0 ? 1 : 0], count, b.plane_weights[0]);
  std::array<const int32_t*, 4> weights;
  weights.fill(b.plane_weights[0]);
  if (dual_plane) {
    widen(bytes[second], count, b.plane_weights[1]);
    weights[second] = b.plane_weights[1];
  }
  return weights;
}

TESSERA_INLINE void decode_weighted(HdrBlock& block, DecodeRowTables& tables, HdrBuffers& b) {
  const unsigned count = tables.size.texel_count();
  const auto weights = wide_weights(block, tables, b);
  const bool has_pattern = block.partition_count > 1;
  if (has_pattern) {
    widen(tables.pattern(block.partition_count, block.partition_seed), count, b.partitions);
  }
  const auto lane_count = static_cast<unsigned>(lanes::lane_count());
  for (unsigned i = 0; i < count; i += lane_count) {
    const auto halves = [&](unsigned c) TESSERA_LAMBDA {
      return channel_halves(block.channels[c], weights[c] + i,
                            has_pattern ? b.partitions + i : nullptr);
    };
    lanes::store(halves(0) | lanes::shift_left<16>(halves(1)), b.red_green + i);
    lanes::store(halves(2) | lanes::shift_left<16>(halves(3)), b.blue_alpha + i);
  }
  for (unsigned i = 0; i < count; ++i) {
    std::memcpy(&b.texels[i].rgba[0], &b.red_green[i], sizeof(int32_t));
    std::memcpy(&b.texels[i].rgba[2], &b.blue_alpha[i], sizeof(int32_t));
  }
}

TESSERA_INLINE void write_block(const Texel* texels, BlockSize size, const RowTarget& target,
                                uint32_t x) {
  const size_t bytes = std::min<uint32_t>(size.width, target.width - x) * sizeof(Texel);
  for (uint32_t z = 0; z < target.depth; ++z) {
    for (uint32_t y = 0; y < target.height; ++y) {
      uint8_t* const out = target.pixels + z * target.slice_stride + y * target.row_stride +
                           size_t{x} * sizeof(Texel);
      std::memcpy(out, texels + (z * size.height + y) * size.width, bytes);
    }
  }
}

void decode_hdr_row_on_target(const uint8_t* blocks, BlockSize size, const RowTarget& target) {
  DecodeRowTables tables(size);
  HdrBlock block;
  HdrBuffers buffers{};
  for (uint32_t x = 0; x < target.width; x += size.width, blocks += kBlockBytes) {
    unpack_hdr_block(load_block(blocks), tables.modes, block);
    if (block.entry != nullptr) {
      decode_weighted(block, tables, buffers);
    } else {
      std::fill_n(buffers.texels.begin(), size.texel_count(), block.uniform_color);
    }
    write_block(buffers.texels.data(), size, target, x);
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::astc {

TESSERA_EXPORT(decode_hdr_row_on_target);

void decode_hdr_row(const uint8_t* blocks, BlockSize size, const RowTarget& target) {
  TESSERA_DISPATCH(decode_hdr_row_on_target)(blocks, size, target);
}

}  // namespace tessera::astc
#endif  // TESSERA_ONCE
