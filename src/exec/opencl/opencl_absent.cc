// For builds without OpenCL's header: the same calls, each of which says so.
#include "exec/opencl/opencl_session.h"

namespace tessera {
namespace {

Error absent() {
  return unsupported_error("this build has no OpenCL");
}

}  // namespace

bool have_opencl() {
  return false;
}
Result<std::vector<OpenClDeviceInfo>> list_opencl_devices() {
  return absent();
}
Result<unsigned> default_opencl_device(unsigned) {
  return absent();
}

OpenClBuffer::OpenClBuffer(OpenClBuffer&& other) noexcept = default;
OpenClBuffer& OpenClBuffer::operator=(OpenClBuffer&& other) noexcept = default;
OpenClBuffer::~OpenClBuffer() = default;

struct OpenClSession::State {};
OpenClSession::~OpenClSession() = default;
Result<std::unique_ptr<OpenClSession>> OpenClSession::create(unsigned, const OpenClOptions&) {
  return absent();
}

}  // namespace tessera
