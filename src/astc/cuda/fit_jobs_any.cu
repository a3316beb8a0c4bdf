// Fitting for blocks of any size, and for what has no code of its own.
#define TESSERA_SCALAR_LANES
#define TESSERA_SCALAR_NAME N_CUDA_any
#include "astc/cuda/fit_jobs_of_shapes-inl.h"
#include "astc/cuda/fit_kernels.cuh"
#include "astc/cuda/picture_encoders.h"

namespace tessera {

TESSERA_FIT_KERNELS(extern template);

namespace astc {

void fit_jobs_any(CudaMachine& machine, const DeviceTask& task, const ShapeJobs& jobs) {
  N_CUDA_any::fit_jobs_of_shape(machine, task, jobs);
}

}  // namespace astc
}  // namespace tessera
