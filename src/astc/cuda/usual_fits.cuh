// Kernels for jobs of one shape that most blocks need, see UsualShape.
#pragma once

#include "astc/cuda/device_stages-inl.h"
#include "astc/cuda/picture_encoders.h"
#include "exec/cuda/cuda_machine.cuh"

namespace tessera::astc {

template <unsigned kSlots, bool kDual, unsigned kParts, bool kCoarse>
void fit_usual(CudaMachine& machine, const DeviceTask& task, const ShapeJobs& jobs) {
  using namespace TESSERA_TARGET;  // NOLINT(google-build-using-namespace)
  using Base = FitShape<PictureTexels, kSlots, kDual, kParts>;
  switch (jobs.use) {
    case FitUse::kError:
      return machine.run(jobs.count,
                         FitJobsOfShape<UsualShape<Base, kCoarse, FitUse::kError>>{task, jobs});
    case FitUse::kBlock:
      return machine.run(jobs.count,
                         FitJobsOfShape<UsualShape<Base, kCoarse, FitUse::kBlock>>{task, jobs});
    case FitUse::kChoice:
      return machine.run(jobs.count,
                         FitJobsOfShape<UsualShape<Base, kCoarse, FitUse::kChoice>>{task, jobs});
  }
}

}  // namespace tessera::astc
