// OpenCL devices with the kernels of all formats that have some.
#include "codec/opencl_backend.h"

#include <utility>

#include "exec/opencl/opencl_session.h"

namespace tessera {

#ifdef TESSERA_HAVE_OPENCL
#define TESSERA_OPENCL_CODEC(name) \
  std::unique_ptr<DeviceKernels> make_##name##_opencl(OpenClSession& session);
#include "codec/opencl_codec_list.inc"
#undef TESSERA_OPENCL_CODEC
#endif

Result<OpenDevice> open_opencl_device(std::optional<unsigned> device) {
  if (!device) {
    TESSERA_ASSIGN_OR_RETURN(device, default_opencl_device());
  }
  TESSERA_ASSIGN_OR_RETURN(auto session, OpenClSession::create(*device));
  OpenDevice opened;
  opened.kind = "opencl";
#ifdef TESSERA_HAVE_OPENCL
#define TESSERA_OPENCL_CODEC(name) opened.kernels[#name] = make_##name##_opencl(*session);
#include "codec/opencl_codec_list.inc"
#undef TESSERA_OPENCL_CODEC
#endif
  opened.session = std::move(session);
  return opened;
}

Result<std::unique_ptr<Backend>> make_opencl_backend(std::optional<unsigned> device,
                                                     std::unique_ptr<Backend> threads,
                                                     FallbackNote note) {
  TESSERA_ASSIGN_OR_RETURN(OpenDevice opened, open_opencl_device(device));
  return make_device_backend(std::move(opened), std::move(threads), std::move(note));
}

}  // namespace tessera
