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
#include "exec/device.h"

namespace tessera::astc {

// Keeps tables between pictures. For one thread at a time, and for the device that is current when
// it is used.
class CudaDecoder {
 public:
  // One slice, or some block rows of it: block sizes of 2D, and all modes but HDR. Queues the work
  // on the stream and returns.
  Status decode(const void* blocks, BlockSize size, DecodeMode mode,
                const MutableDeviceImage& target, cudaStream_t stream);

 private:
  struct Tables {
    CudaDeviceBuffer memory, patterns;
  };
  Result<const Tables*> load_tables(BlockSize size);

  std::map<size_t, Tables> tables_;  // by the number of the block size
};

}  // namespace tessera::astc
