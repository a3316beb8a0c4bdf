// ASTC blocks of pictures that lie in memory of a CUDA device.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <optional>

#include "astc/cuda/device_work.h"
#include "base/result.h"
#include "exec/cuda/cuda_branches.h"
#include "exec/cuda/cuda_memory.h"

namespace tessera::astc {

// Keeps tables and working memory between pictures. For one thread at a time, and for the device
// that is current when it is used.
class CudaEncoder {
 public:
  explicit CudaEncoder(unsigned processors) : processors_(processors) {}

  // Some block rows, or all, of one slice. Without facts the picture is looked at first: then it
  // must be the whole picture. `out` receives 16 bytes per block. The work is queued on the stream;
  // when the call returns, all but the last of it is done.
  Status encode(const Picture& picture, BlockSize size, const EncodeSettings& settings,
                std::optional<PictureFacts> facts, Block128* out, cudaStream_t stream);

  // Block rows that the memory of the device has room for at once, for a picture of such a width,
  // at least one, where texels and blocks of so many strips lie there.
  uint32_t rows_at_once(uint32_t across, BlockSize size, const EncodeSettings& settings,
                        size_t strips) const;

 private:
  struct LoadedTables {
    explicit LoadedTables(const EncodeTables& tables) : bins(tables) {}

    JobBins bins;
    CudaDeviceBuffer memory;
    DeviceTables pointers;
  };

  Result<DeviceTables> load_tables(BlockSize size, const EncodeSettings& settings);
  Result<PictureFacts> look_at(DeviceWork work, const EncodeSettings& settings,
                               cudaStream_t stream);
  size_t memory_for_work() const;

  unsigned processors_;
  CudaBranches branches_;
  CudaDeviceBuffer work_memory_;
  std::map<const EncodeTables*, std::unique_ptr<LoadedTables>> tables_;
};

}  // namespace tessera::astc
