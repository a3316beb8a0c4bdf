// The OpenCL backend with the kernels of all formats that have some: one line for each.
#include "codec/opencl_backend.h"

#include <utility>
#include <vector>

#ifdef TESSERA_HAVE_OPENCL
#include "bc/opencl/bc1_opencl.h"
#endif

namespace tessera {
namespace {

#ifdef TESSERA_HAVE_OPENCL

template <class Kernels>
std::unique_ptr<DeviceKernels> make_kernels(OpenClSession& session) {
  return std::make_unique<Kernels>(session);
}

std::vector<OpenClFormat> formats_with_kernels() {
  return {{"bc1", make_kernels<Bc1OpenCl>}};
}

#else

std::vector<OpenClFormat> formats_with_kernels() {
  return {};
}

#endif

}  // namespace

Result<std::unique_ptr<Backend>> make_opencl_backend(std::optional<unsigned> device,
                                                     std::unique_ptr<Backend> threads,
                                                     FallbackNote note) {
  if (!device) {
    TESSERA_ASSIGN_OR_RETURN(device, default_opencl_device());
  }
  TESSERA_ASSIGN_OR_RETURN(auto session, OpenClSession::create(*device));
  return make_device_backend(std::move(session), formats_with_kernels(), std::move(threads),
                             std::move(note));
}

}  // namespace tessera
