// The strips of an image of four 8-bit channels whose format has blocks: some block rows of one
// slice each.
#pragma once

#include "base/block_size.h"
#include "exec/cuda/cuda_strips.h"

namespace tessera {

struct SlicedExtent {
  uint32_t width, height, slices;  // in texels
};

// How an image of the host's lies in memory, in bytes.
struct HostStrides {
  size_t row, slice;
};

class BlockStrips {
 public:
  // Texels that are copied at once, in bytes, where the work of a block is small.
  static constexpr size_t kUsualBytes = size_t{16} << 20;

  // Strips have at most so many bytes of texels, but at least one block row.
  BlockStrips(const SlicedExtent& extent, BlockSize block, size_t block_bytes,
              size_t strip_bytes = kUsualBytes);

  // Bytes from a texel row to the next on the device: whole multiples of 16.
  size_t row_bytes() const { return row_bytes_; }
  uint32_t texel_rows(size_t number) const { return place(number).texel_rows; }

  // All of the work but its kernels. Texels and blocks of all slices, and this, outlive it.
  CudaStripWork texels_to_blocks(const uint8_t* texels, HostStrides strides, uint8_t* blocks) const;
  CudaStripWork blocks_to_texels(const uint8_t* blocks, uint8_t* texels, HostStrides strides) const;

 private:
  struct Place {
    uint32_t slice, first_texel_row, texel_rows;
    size_t first_block_row, block_rows;  // of all slices
  };
  Place place(size_t number) const;
  CudaStripWork empty_work() const;

  SlicedExtent extent_;
  uint32_t block_height_;
  size_t row_bytes_, block_row_bytes_;
  uint32_t rows_per_slice_, rows_;  // block rows of a slice, and of a strip
  size_t per_slice_;                // strips
};

}  // namespace tessera
