// Finds and loads the plug-in for CUDA devices.
#include "exec/cuda/cuda_plugin.h"

#ifdef TESSERA_HAVE_CUDA
#include <dlfcn.h>
#endif

namespace tessera {

bool have_cuda() {
#ifdef TESSERA_HAVE_CUDA
  return true;
#else
  return false;
#endif
}

Result<CudaLibrary*> cuda_library() {
#ifdef TESSERA_HAVE_CUDA
  static CudaLibrary* const library = []() -> CudaLibrary* {
    void* plugin = ::dlopen("tessera_cuda.so", RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) {
      plugin = ::dlopen(TESSERA_PLUGIN_FOLDER "/tessera_cuda.so", RTLD_NOW | RTLD_LOCAL);
    }
    const auto get = plugin == nullptr
                         ? nullptr
                         : reinterpret_cast<GetCudaLibrary>(::dlsym(plugin, kCudaPluginSymbol));
    return get == nullptr ? nullptr : get(kCudaPluginVersion);
  }();
  if (library == nullptr) {
    return unsupported_error(
        "CUDA cannot be loaded: tessera_cuda.so is missing ('make cuda' makes it)");
  }
  return library;
#else
  return unsupported_error("this build has no CUDA");
#endif
}

}  // namespace tessera
