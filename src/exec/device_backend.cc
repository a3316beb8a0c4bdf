// Devices as a backend: kernels by format, and giving up on the devices.
#include "exec/device_backend.h"

#include <mutex>
#include <utility>

namespace tessera {
namespace {

class DeviceBackend : public Backend, public Device {
 public:
  DeviceBackend(std::vector<OpenDevice> devices, std::unique_ptr<Backend> threads,
                FallbackNote note)
      : devices_(std::move(devices)),
        threads_(std::move(threads)),
        note_(std::move(note)),
        in_use_(devices_.front().kind) {}

  std::string_view name() const override {
    const std::lock_guard lock(mutex_);
    return given_up_ ? "cpu" : in_use_;
  }
  unsigned thread_count() const override { return threads_->thread_count(); }
  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    return threads_->run(work, task, control);
  }
  Device* device() override { return this; }

  std::string_view kind() const override { return devices_.front().kind; }
  DeviceKernels* kernels(std::string_view format) override {
    const std::lock_guard lock(mutex_);
    for (const OpenDevice& device : devices_) {
      const auto found = device.kernels.find(format);
      if (!given_up_ && found != device.kernels.end()) {
        in_use_ = device.kind;
        return found->second.get();
      }
    }
    in_use_ = "cpu";
    return nullptr;
  }
  DeviceMemory* memory() override {
    const std::lock_guard lock(mutex_);
    return given_up_ ? nullptr : devices_.front().memory.get();
  }
  DeviceKernels* metrics() override {
    const std::lock_guard lock(mutex_);
    return given_up_ ? nullptr : devices_.front().metrics.get();
  }
  bool give_up(const Error& error) override {
    if (!note_ || error.code == ErrorCode::kInterrupted) {
      return false;
    }
    const std::lock_guard lock(mutex_);
    if (!given_up_) {  // else another thread has told of its own failure
      note_(error.message);
    }
    given_up_ = true;
    return true;
  }

 private:
  std::vector<OpenDevice> devices_;
  std::unique_ptr<Backend> threads_;
  FallbackNote note_;
  mutable std::mutex mutex_;
  std::string_view in_use_;  // what does the work of the format that was asked for last
  bool given_up_ = false;
};

}  // namespace

std::unique_ptr<Backend> make_device_backend(std::vector<OpenDevice> devices,
                                             std::unique_ptr<Backend> threads, FallbackNote note) {
  return std::make_unique<DeviceBackend>(std::move(devices), std::move(threads), std::move(note));
}

std::unique_ptr<Backend> make_device_backend(OpenDevice device, std::unique_ptr<Backend> threads,
                                             FallbackNote note) {
  std::vector<OpenDevice> devices;
  devices.push_back(std::move(device));
  return make_device_backend(std::move(devices), std::move(threads), std::move(note));
}

}  // namespace tessera
