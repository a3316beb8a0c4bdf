// ASTC blocks in memory of a CUDA device to texels there.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>

#include "astc/decode/decode_mode.h"
#include "astc/format/block_size.h"
#include "base/result.h"
#include "exec/cuda/cuda_memory.h"

namespace tessera::astc {

// Where the texels go: four 8-bit channels, one slice or some block rows of it.
struct DecodeTarget {
  uint8_t* texels = nullptr;
  size_t row_bytes = 0;  // from a row to the next, a multiple of 4
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t* not_opaque = nullptr;  // set to 1 where a texel is not opaque; may be null
};

// Keeps tables between pictures. For one thread at a time, and for the device that is current when
// it is used.
class CudaDecoder {
 public:
  // Block sizes of 2D, and all modes but HDR. Queues the work on the stream and returns.
  Status decode(const void* blocks, BlockSize size, DecodeMode mode, const DecodeTarget& target,
                cudaStream_t stream);

 private:
  struct Tables {
    CudaDeviceBuffer memory, patterns;
  };
  Result<const Tables*> load_tables(BlockSize size);

  std::map<size_t, Tables> tables_;  // by the number of the block size
};

}  // namespace tessera::astc
