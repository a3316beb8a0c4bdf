// Fitting of blocks whose size has code of its own: usual jobs of 4x4 by kernels that keep all
// numbers in registers, others by kernels for the size, and what is rare as for any size.
#include "astc/cuda/picture_encoders.h"

namespace tessera::astc {
namespace {

bool is_usual(const DeviceTask& task, const ShapeJobs& jobs) {
  return !task.chunk.has_edges && !task.settings.weighs_channels() && !task.settings.alpha_weight &&
         task.settings.endpoint_start == EndpointStart::kPca && !jobs.effort.best_pass;
}

using Fit = void (*)(CudaMachine& machine, const DeviceTask& task, const ShapeJobs& jobs);

Fit usual_fit(const JobShape& shape) {
#define TESSERA_USUAL_FIT_CASE(slots, planes, parts, coarse)       \
  if (shape == JobShape{slots, planes == 2, parts, coarse != 0}) { \
    return fit_usual_4x4_##slots##_##planes##_##parts##_##coarse;  \
  }
  TESSERA_USUAL_FITS(TESSERA_USUAL_FIT_CASE)
#undef TESSERA_USUAL_FIT_CASE
  return nullptr;
}

Fit fit_of_4x4(unsigned slots) {
  return slots == 4 ? fit_jobs_4x4_of_4 : slots == 3 ? fit_jobs_4x4_of_3 : fit_jobs_any;
}

}  // namespace

void fit_jobs_4x4(CudaMachine& machine, const DeviceTask& task, const ShapeJobs& jobs) {
  const Fit usual = is_usual(task, jobs) ? usual_fit(jobs.shape) : nullptr;
  (usual != nullptr ? usual : fit_of_4x4(jobs.shape.slots))(machine, task, jobs);
}

void fit_jobs_6x6(CudaMachine& machine, const DeviceTask& task, const ShapeJobs& jobs) {
  (jobs.shape.slots == 3 ? fit_jobs_6x6_of_3 : fit_jobs_any)(machine, task, jobs);
}

}  // namespace tessera::astc
