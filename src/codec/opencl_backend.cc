// The OpenCL backend with the kernels of all formats that have some.
#include "codec/opencl_backend.h"

#include <utility>
#include <vector>

namespace tessera {

#ifdef TESSERA_HAVE_OPENCL
#define TESSERA_OPENCL_CODEC(name) \
  std::unique_ptr<DeviceKernels> make_##name##_opencl(OpenClSession& session);
#include "codec/opencl_codec_list.inc"
#undef TESSERA_OPENCL_CODEC
#endif

namespace {

std::vector<OpenClFormat> formats_with_kernels() {
  return {
#ifdef TESSERA_HAVE_OPENCL
#define TESSERA_OPENCL_CODEC(name) {#name, make_##name##_opencl},
#include "codec/opencl_codec_list.inc"
#undef TESSERA_OPENCL_CODEC
#endif
  };
}

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
