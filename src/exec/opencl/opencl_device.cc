// The OpenCL device as a backend: kernels by format, and giving up on the device.
#include "exec/opencl/opencl_device.h"

#include <map>
#include <utility>

namespace tessera {
namespace {

class OpenClBackend : public Backend, public Device {
 public:
  OpenClBackend(std::unique_ptr<OpenClSession> session, const std::vector<OpenClFormat>& formats,
                std::unique_ptr<Backend> threads, FallbackNote note)
      : session_(std::move(session)), threads_(std::move(threads)), note_(std::move(note)) {
    for (const OpenClFormat& format : formats) {
      kernels_[format.name] = format.make_kernels(*session_);
    }
  }

  std::string_view name() const override { return given_up_ ? "cpu" : "opencl"; }
  unsigned thread_count() const override { return threads_->thread_count(); }
  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    return threads_->run(work, task, control);
  }
  Device* device() override { return this; }

  std::string_view kind() const override { return "opencl"; }
  DeviceKernels* kernels(std::string_view format) override {
    const auto found = kernels_.find(format);
    return given_up_ || found == kernels_.end() ? nullptr : found->second.get();
  }
  bool give_up(const Error& error) override {
    if (!note_ || error.code == ErrorCode::kInterrupted) {
      return false;
    }
    given_up_ = true;
    note_(error.message);
    return true;
  }

 private:
  std::unique_ptr<OpenClSession> session_;
  std::map<std::string_view, std::unique_ptr<DeviceKernels>> kernels_;
  std::unique_ptr<Backend> threads_;
  FallbackNote note_;
  bool given_up_ = false;
};

}  // namespace

std::unique_ptr<Backend> make_device_backend(std::unique_ptr<OpenClSession> session,
                                             const std::vector<OpenClFormat>& formats,
                                             std::unique_ptr<Backend> threads, FallbackNote note) {
  return std::make_unique<OpenClBackend>(std::move(session), formats, std::move(threads),
                                         std::move(note));
}

}  // namespace tessera
