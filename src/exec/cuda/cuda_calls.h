// Calls of the CUDA runtime as results.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "base/result.h"

namespace tessera {

// `what` completes "the CUDA device …".
inline Status cuda_status(cudaError_t code, const char* what) {
  if (code == cudaSuccess) {
    return {};
  }
  if (code == cudaErrorMemoryAllocation) {
    return failed_error("the CUDA device has not enough memory");
  }
  return failed_error(std::string("the CUDA device ") + what + ": " + cudaGetErrorString(code));
}

}  // namespace tessera
