// Starting the kernels of BC1 on a stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "bc/bc1_presets.h"

namespace tessera::bc1 {

// How one slice of four 8-bit channels, or some block rows of it, lies in memory of the device;
// fewer than 2^31 blocks.
struct PictureShape {
  size_t row_bytes = 0;  // from a row to the next
  uint32_t width = 0;
  uint32_t height = 0;
  bool has_aligned_rows = false;  // to 16 bytes, so that texels can be moved four at a time
  uint32_t across = 0;            // blocks
  uint32_t blocks = 0;
};

// `tables` are those of kernel_tables(), on the device; `blocks` receives 8 bytes per block.
// False where the settings are none of those that are compiled as constants.
bool encode_with_preset(const PictureShape& shape, const uint8_t* texels, const Settings& settings,
                        const int32_t* tables, void* blocks, cudaStream_t stream);
void encode_with_any_settings(const PictureShape& shape, const uint8_t* texels,
                              const Settings& settings, const int32_t* tables, void* blocks,
                              cudaStream_t stream);

void decode_blocks(const void* blocks, Rounding rounding, const PictureShape& shape,
                   uint8_t* texels, cudaStream_t stream);

}  // namespace tessera::bc1
