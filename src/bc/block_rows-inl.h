// Walks an image in groups of lane_count() blocks side by side and hands each group to a kernel.
// Whole groups are read in place; the last group of a row is copied and padded by repetition.
#if defined(TESSERA_BC_BLOCK_ROWS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_BLOCK_ROWS_INL_H_
#undef TESSERA_BC_BLOCK_ROWS_INL_H_
#else
#define TESSERA_BC_BLOCK_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstring>
#include <span>

#include "base/bytes.h"
#include "bc/bc1_format.h"
#include "image/image.h"
#include "spmd/lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

namespace lanes = tessera::TESSERA_TARGET;

// The four texel rows of a row of blocks; at the bottom edge the last row stands in for the
// missing.
struct TexelRows {
  const uint32_t* row[kBlockSide];
};

TESSERA_INLINE TexelRows texel_rows(const ImageView& image, uint32_t slice, uint32_t block_row) {
  TexelRows rows;
  for (uint32_t y = 0; y < kBlockSide; ++y) {
    rows.row[y] =
        image.row<uint32_t>(std::min(block_row * kBlockSide + y, image.info.height - 1), slice);
  }
  return rows;
}

// Copies the texels from `x0` to the image's right edge and repeats the last one.
TESSERA_INLINE void pad_group(const TexelRows& source, uint32_t x0, uint32_t width,
                              size_t group_texels, uint32_t* padded) {
  const size_t present = std::min<size_t>(width - x0, group_texels);
  for (uint32_t y = 0; y < kBlockSide; ++y) {
    uint32_t* row = padded + y * group_texels;
    std::memcpy(row, source.row[y] + x0, present * sizeof(uint32_t));
    std::fill(row + present, row + group_texels, row[present - 1]);
  }
}

// kernel(rows, out): encodes lane_count() blocks from four rows of 4·lane_count() texels and writes
// kBlockBytes a block.
template <class Kernel>
TESSERA_INLINE void encode_block_rows(const ImageView& image, uint32_t slice, uint32_t first_row,
                                      uint32_t end_row, std::span<uint8_t> out, Kernel kernel) {
  constexpr size_t kMaxLanes = lanes::kMaxLaneCount;
  const size_t group = lanes::lane_count();
  const size_t group_texels = group * kBlockSide;
  const uint32_t width = image.info.width;
  const auto blocks_across = static_cast<size_t>(divide_round_up(width, kBlockSide));
  const size_t whole_groups = width / group_texels;
  TESSERA_ALIGN uint32_t padded[kMaxLanes * kBlockTexels];
  TESSERA_ALIGN uint32_t last_blocks[kMaxLanes * kBlockBytes / sizeof(uint32_t)];

  for (uint32_t block_row = first_row; block_row < end_row; ++block_row) {
    const TexelRows rows = texel_rows(image, slice, block_row);
    uint8_t* row_out = out.data() + (block_row - first_row) * blocks_across * kBlockBytes;
    TexelRows at = rows;
    for (size_t i = 0; i < whole_groups; ++i) {
      kernel(at, reinterpret_cast<uint32_t*>(row_out + i * group * kBlockBytes));
      for (const uint32_t*& row : at.row) {
        row += group_texels;
      }
    }
    const size_t done = whole_groups * group;
    if (done < blocks_across) {
      pad_group(rows, static_cast<uint32_t>(done * kBlockSide), width, group_texels, padded);
      const TexelRows padded_rows = {
          {padded, padded + group_texels, padded + 2 * group_texels, padded + 3 * group_texels}};
      kernel(padded_rows, last_blocks);
      std::memcpy(row_out + done * kBlockBytes, last_blocks, (blocks_across - done) * kBlockBytes);
    }
  }
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_BLOCK_ROWS_INL_H_
