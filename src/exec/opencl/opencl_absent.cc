// For builds without OpenCL: the same calls, each of which says so.
#include "exec/opencl/bc1_opencl.h"
#include "exec/opencl/opencl_session.h"
#include "exec/opencl/opencl_study.h"

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

struct Bc1OpenCl::Slots {};
Bc1OpenCl::Bc1OpenCl(OpenClSession& session) : session_(session) {}
Bc1OpenCl::~Bc1OpenCl() = default;
Status Bc1OpenCl::encode(const ImageView&, const bc1::Settings&, std::span<uint8_t>,
                         const RunControl&) {
  return absent();
}
Status Bc1OpenCl::decode(ByteSpan, bc1::Rounding, const MutableImageView&) {
  return absent();
}
Status Bc1OpenCl::encode_resident(const ResidentImage&, const bc1::Settings&, _cl_mem*,
                                  _cl_command_queue*) {
  return absent();
}

Result<std::string> run_opencl_study(unsigned) {
  return absent();
}

}  // namespace tessera
