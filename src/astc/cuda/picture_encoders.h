// The drivers and fitting functions that are compiled: for blocks of any size, and for sizes with
// code of their own.
#pragma once

#include <span>

#include "astc/cuda/device_task.h"
#include "astc/cuda/device_work.h"
#include "base/result.h"

namespace tessera {
class CudaMachine;
}

namespace tessera::astc {

#define TESSERA_PICTURE_ENCODER(name)                                                      \
  Status encode_picture_##name(CudaMachine& machine, const DeviceWork& work);              \
  Status measure_blocks_##name(CudaMachine& machine, const DeviceWork& work,               \
                               std::span<const uint32_t> places, std::span<float> errors); \
  void fit_jobs_##name(CudaMachine& machine, const DeviceTask& task, const ShapeJobs& jobs)

TESSERA_PICTURE_ENCODER(any);
TESSERA_PICTURE_ENCODER(4x4);
TESSERA_PICTURE_ENCODER(6x6);

// Jobs of one number of stored channels, by kernels for a block size. CMakeLists.txt has the same
// list.
#define TESSERA_FITS_OF_SIZE(name, slots)                                         \
  void fit_jobs_##name##_of_##slots(CudaMachine& machine, const DeviceTask& task, \
                                    const ShapeJobs& jobs)
TESSERA_FITS_OF_SIZE(4x4, 3);
TESSERA_FITS_OF_SIZE(4x4, 4);
TESSERA_FITS_OF_SIZE(6x6, 3);

// Jobs of 4x4 blocks with kernels of their own: stored channels, planes, partitions, coarse grids.
// CMakeLists.txt has the same list.
#define TESSERA_USUAL_FITS(apply) \
  apply(3, 1, 1, 0) apply(3, 2, 1, 0) apply(3, 2, 1, 1) apply(3, 1, 2, 0)

#define TESSERA_USUAL_FIT(slots, planes, parts, coarse)       \
  void fit_usual_4x4_##slots##_##planes##_##parts##_##coarse( \
      CudaMachine& machine, const DeviceTask& task, const ShapeJobs& jobs)
#define TESSERA_DECLARE(slots, planes, parts, coarse) \
  TESSERA_USUAL_FIT(slots, planes, parts, coarse);
TESSERA_USUAL_FITS(TESSERA_DECLARE)
#undef TESSERA_DECLARE

}  // namespace tessera::astc
