// Counts what the blocks of a texture are made of.
#include "astc/inspect/block_statistics.h"

namespace tessera::astc {

std::string grid_name(const GridSize& grid) {
  std::string name = std::to_string(grid.x) + "x" + std::to_string(grid.y);
  if (grid.z > 1) {
    name += "x" + std::to_string(grid.z);
  }
  return name;
}

const char* endpoint_mode_name(EndpointMode mode) {
  constexpr std::array<const char*, 16> kNames = {"luminance",
                                                  "luminance, offset",
                                                  "HDR luminance, large range",
                                                  "HDR luminance, small range",
                                                  "luminance and alpha",
                                                  "luminance and alpha, offset",
                                                  "RGB, scale",
                                                  "HDR RGB, scale",
                                                  "RGB",
                                                  "RGB, offset",
                                                  "RGB, scale, and alpha",
                                                  "HDR RGB",
                                                  "RGBA",
                                                  "RGBA, offset",
                                                  "HDR RGB, LDR alpha",
                                                  "HDR RGBA"};
  return kNames[static_cast<size_t>(mode)];
}

BlockStatistics count_blocks(ByteSpan blocks, BlockSize size) {
  BlockStatistics statistics;
  for (size_t at = 0; at + kBlockBytes <= blocks.size(); at += kBlockBytes) {
    const SymbolicBlock block = unpack_block(load_block(blocks.data() + at), size);
    ++statistics.blocks;
    if (block.kind == BlockKind::kError) {
      ++statistics.illegal;
      continue;
    }
    if (block.kind == BlockKind::kVoidExtent) {
      ++statistics.void_extents;
      continue;
    }
    statistics.dual_planes += block.mode.dual_plane ? 1 : 0;
    ++statistics.partitions[block.partition_count - 1u];
    ++statistics.grids[grid_name(block.mode.grid)];
    ++statistics.weight_levels[range_levels(block.mode.weight_range)];
    ++statistics.color_levels[range_levels(block.color_range)];
    for (unsigned i = 0; i < block.partition_count; ++i) {
      ++statistics.endpoint_modes[static_cast<size_t>(block.endpoint_modes[i])];
    }
  }
  return statistics;
}

}  // namespace tessera::astc
