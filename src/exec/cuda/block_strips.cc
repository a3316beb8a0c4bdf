// Cuts images into strips of block rows.
#include "exec/cuda/block_strips.h"

#include <algorithm>

#include "base/bytes.h"

namespace tessera {
namespace {

constexpr size_t kRowAlignment = 16;
constexpr size_t kTexelBytes = 4;

}  // namespace

BlockStrips::BlockStrips(const SlicedExtent& extent, BlockSize block, size_t block_bytes,
                         size_t strip_bytes)
    : extent_(extent),
      block_height_(block.height),
      row_bytes_(divide_round_up(size_t{extent.width} * kTexelBytes, kRowAlignment) *
                 kRowAlignment),
      block_row_bytes_(divide_round_up(extent.width, block.width) * block_bytes),
      rows_per_slice_(static_cast<uint32_t>(divide_round_up(extent.height, block.height))),
      rows_(static_cast<uint32_t>(
          std::clamp<size_t>(strip_bytes / (row_bytes_ * block.height), 1, rows_per_slice_))),
      per_slice_(divide_round_up(rows_per_slice_, rows_)) {}

BlockStrips::Place BlockStrips::place(size_t number) const {
  const auto slice = static_cast<uint32_t>(number / per_slice_);
  const auto first = static_cast<uint32_t>(number % per_slice_) * rows_;
  const uint32_t count = std::min(rows_, rows_per_slice_ - first);
  const uint32_t first_texel = first * block_height_;
  return {slice, first_texel, std::min(count * block_height_, extent_.height - first_texel),
          size_t{slice} * rows_per_slice_ + first, count};
}

CudaStripWork BlockStrips::empty_work() const {
  CudaStripWork work;
  work.count = per_slice_ * extent_.slices;
  return work;
}

CudaStripWork BlockStrips::texels_to_blocks(const uint8_t* texels, HostStrides strides,
                                            uint8_t* blocks) const {
  CudaStripWork work = empty_work();
  work.in_stride = row_bytes_;
  work.in_rows = size_t{rows_} * block_height_;
  work.out_stride = block_row_bytes_;
  work.out_rows = rows_;
  work.strip = [this, texels, strides, blocks](size_t number) -> CudaStrip {
    const Place at = place(number);
    return {{texels + at.slice * strides.slice + at.first_texel_row * strides.row, strides.row,
             size_t{extent_.width} * kTexelBytes, at.texel_rows},
            {blocks + at.first_block_row * block_row_bytes_, block_row_bytes_, block_row_bytes_,
             at.block_rows}};
  };
  return work;
}

CudaStripWork BlockStrips::blocks_to_texels(const uint8_t* blocks, uint8_t* texels,
                                            HostStrides strides) const {
  CudaStripWork work = empty_work();
  work.in_stride = block_row_bytes_;
  work.in_rows = rows_;
  work.out_stride = row_bytes_;
  work.out_rows = size_t{rows_} * block_height_;
  work.strip = [this, blocks, texels, strides](size_t number) -> CudaStrip {
    const Place at = place(number);
    return {{blocks + at.first_block_row * block_row_bytes_, block_row_bytes_, block_row_bytes_,
             at.block_rows},
            {texels + at.slice * strides.slice + at.first_texel_row * strides.row, strides.row,
             size_t{extent_.width} * kTexelBytes, at.texel_rows}};
  };
  return work;
}

}  // namespace tessera
