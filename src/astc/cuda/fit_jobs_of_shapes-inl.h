// Runs jobs of fitting with the code for their shape.
#if defined(TESSERA_ASTC_FIT_JOBS_OF_SHAPES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_JOBS_OF_SHAPES_INL_H_
#undef TESSERA_ASTC_FIT_JOBS_OF_SHAPES_INL_H_
#else
#define TESSERA_ASTC_FIT_JOBS_OF_SHAPES_INL_H_
#endif

#include "astc/cuda/device_stages-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Code for up to kParts partitions, for blocks with kLeast and more.
template <unsigned kSlots, unsigned kParts, unsigned kLeast, class Machine>
void fit_jobs_of_planes(Machine& machine, const DeviceTask& task, const ShapeJobs& jobs) {
  if constexpr (may_have_two_planes(kSlots, kLeast)) {
    if (jobs.shape.dual_plane) {
      using Shape = DeviceShape<FitShape<PictureTexels, kSlots, true, kParts>>;
      machine.run(jobs.count, FitJobsOfShape<Shape>{task, jobs});
      return;
    }
  }
  using Shape = DeviceShape<FitShape<PictureTexels, kSlots, false, kParts>>;
  machine.run(jobs.count, FitJobsOfShape<Shape>{task, jobs});
}

template <unsigned kSlots, class Machine>
void fit_jobs_of_slots(Machine& machine, const DeviceTask& task, const ShapeJobs& jobs) {
  if (jobs.shape.partitions == 1) {
    return fit_jobs_of_planes<kSlots, 1, 1>(machine, task, jobs);
  }
  if (jobs.shape.partitions == 2) {
    constexpr unsigned kTwo = kSlots > 2 ? 2 : kMaxPartitions;
    return fit_jobs_of_planes<kSlots, kTwo, 2>(machine, task, jobs);
  }
  fit_jobs_of_planes<kSlots, kMaxPartitions, 3>(machine, task, jobs);
}

template <class Machine>
void fit_jobs_of_shape(Machine& machine, const DeviceTask& task, const ShapeJobs& jobs) {
  switch (jobs.shape.slots) {
    case 1:
      return fit_jobs_of_slots<1>(machine, task, jobs);
    case 2:
      return fit_jobs_of_slots<2>(machine, task, jobs);
    case 3:
      return fit_jobs_of_slots<3>(machine, task, jobs);
    default:
      return fit_jobs_of_slots<4>(machine, task, jobs);
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_JOBS_OF_SHAPES_INL_H_
