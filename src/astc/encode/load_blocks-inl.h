// First stage: texels of neighbouring blocks, one block a lane. Blocks that
// reach over the edge are completed by repeating the last row and column; later
// stages give the copies no weight.
#if defined(TESSERA_ASTC_LOAD_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_LOAD_BLOCKS_INL_H_
#undef TESSERA_ASTC_LOAD_BLOCKS_INL_H_
#else
#define TESSERA_ASTC_LOAD_BLOCKS_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "astc/encode/chunk.h"
#include "astc/encode/stages.h"
#include "astc/format/block_size.h"
#include "image/image.h"
#include "spmd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

namespace lanes = tessera::HWY_NAMESPACE;
using lanes::all_lanes;
using lanes::all_lanes_f32;
using lanes::F32;
using lanes::I32;
using lanes::LaneMask;

// One row of texels of lane_count() blocks side by side. `row` holds
// lane_count()·block_width texels.
HWY_INLINE void load_texel_row(const uint32_t* HWY_RESTRICT row, unsigned block_width, Chunk& chunk,
                               size_t block, unsigned first_texel) {
  const auto* signed_row = reinterpret_cast<const int32_t*>(row);
  const auto target = [&](unsigned x) { return chunk.texel_row(first_texel + x) + block; };
  if (block_width == 4) {
    lanes::U8x4 columns[4];
    lanes::load_block_row(row, columns);
    for (unsigned x = 0; x < 4; ++x) {
      lanes::store(lanes::as_i32(columns[x]), target(x));
    }
    return;
  }
  const I32 starts = lanes::lane_numbers() * all_lanes(static_cast<int32_t>(block_width));
  for (unsigned x = 0; x < block_width; ++x) {
    lanes::store(lanes::gather(signed_row + x, starts), target(x));
  }
}

// Appends a run of blocks to the chunk.
HWY_INLINE void append_blocks(const ImageView& image, BlockSize size, const BlockRun& run,
                              Chunk& chunk) {
  constexpr size_t kMaxGroupTexels = lanes::kMaxLaneCount * kMaxGridEdge;
  HWY_ALIGN uint32_t padded[kMaxGroupTexels];
  const auto group = static_cast<uint32_t>(lanes::lane_count());
  const uint32_t width = image.info.width;
  const uint32_t height = image.info.height;
  const uint32_t rows_inside = std::min<uint32_t>(size.y, height - run.row * size.y);
  for (uint32_t i = run.first; i < run.end; i += group) {
    const uint32_t x0 = i * size.x;
    const uint32_t count = std::min(group, run.end - i);
    const uint32_t group_texels = group * size.x;
    const uint32_t present = std::min(width - x0, group_texels);
    for (uint32_t y = 0; y < size.y; ++y) {
      const uint32_t* row =
          image.row<uint32_t>(std::min(run.row * size.y + y, height - 1), run.slice) + x0;
      if (present < group_texels) {
        std::memcpy(padded, row, present * sizeof(uint32_t));
        std::fill(padded + present, padded + group_texels, padded[present - 1]);
        row = padded;
      }
      load_texel_row(row, size.x, chunk, chunk.count, y * size.x);
    }
    for (uint32_t k = 0; k < count; ++k) {
      const size_t block = chunk.count + k;
      const uint32_t columns_inside = std::min<uint32_t>(size.x, width - (i + k) * size.x);
      chunk.inside_x[block] = static_cast<int32_t>(columns_inside);
      chunk.inside_y[block] = static_cast<int32_t>(rows_inside);
      chunk.output[block] = run.output + (i - run.first) + k;
      chunk.has_edges = chunk.has_edges || columns_inside < size.x || rows_inside < size.y;
    }
    chunk.count += count;
  }
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_ASTC_LOAD_BLOCKS_INL_H_
