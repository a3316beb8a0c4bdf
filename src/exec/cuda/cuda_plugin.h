// The plug-in with all that is compiled for CUDA devices: finding it, loading it, and what it
// offers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/device_backend.h"

namespace tessera {

struct CudaDeviceInfo {
  std::string name;
  std::string version;  // "compute capability 9.0"
  uint32_t processors = 0;
  uint64_t memory_bytes = 0;
};

// What the plug-in gives to those who load it; lives as long as the process.
class CudaLibrary {
 public:
  virtual ~CudaLibrary() = default;

  // Numbered from 0. Fails where there is no device, or no driver for it.
  virtual Result<std::vector<CudaDeviceInfo>> list_devices() = 0;
  virtual Result<OpenDevice> open(unsigned device) = 0;
};

// The plug-in has one function of this name and type. It returns null for another version.
inline constexpr int kCudaPluginVersion = 5;
inline constexpr const char* kCudaPluginSymbol = "tessera_cuda_library";
using GetCudaLibrary = CudaLibrary* (*)(int version);

// Whether this build has the plug-in. Loads nothing.
bool have_cuda();

// Loads the plug-in at the first call. kUnsupported where it is missing.
Result<CudaLibrary*> cuda_library();

}  // namespace tessera
