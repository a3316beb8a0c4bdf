// Devices beside threads: which of them serves a format, and what happens when one fails.
#include "exec/device_backend.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

class Kernels : public DeviceKernels {};

OpenDevice device_with(std::string_view kind, std::initializer_list<std::string_view> formats) {
  OpenDevice device;
  device.kind = kind;
  for (const std::string_view format : formats) {
    device.kernels[format] = std::make_unique<Kernels>();
  }
  return device;
}

std::vector<OpenDevice> two_devices() {
  std::vector<OpenDevice> devices;
  devices.push_back(device_with("cuda", {"astc"}));
  devices.push_back(device_with("opencl", {"astc", "bc1"}));
  return devices;
}

TEST(DeviceBackend, TheFirstDeviceWithKernelsServesAFormat) {
  std::vector<OpenDevice> devices = two_devices();
  const DeviceKernels* const of_cuda = devices[0].kernels["astc"].get();
  const auto backend = make_device_backend(std::move(devices), make_serial_backend(), {});
  EXPECT_EQ(backend->name(), "cuda");
  EXPECT_EQ(backend->device()->kernels("astc"), of_cuda);
  EXPECT_EQ(backend->name(), "cuda");
  EXPECT_NE(backend->device()->kernels("bc1"), nullptr);
  EXPECT_EQ(backend->name(), "opencl");
  EXPECT_EQ(backend->device()->kernels("fractal"), nullptr);
  EXPECT_EQ(backend->name(), "cpu");
}

TEST(DeviceBackend, AFailureIsTheWorksOwnWithoutANote) {
  const auto backend = make_device_backend(two_devices(), make_serial_backend(), {});
  EXPECT_FALSE(backend->device()->give_up(failed_error("broken")));
  EXPECT_NE(backend->device()->kernels("astc"), nullptr);
}

TEST(DeviceBackend, WithANoteThreadsTakeOver) {
  std::string told;
  const auto backend = make_device_backend(two_devices(), make_serial_backend(),
                                           [&](const std::string& reason) { told = reason; });
  EXPECT_FALSE(backend->device()->give_up(Error{ErrorCode::kInterrupted, "stopped"}));
  EXPECT_EQ(told, "");
  EXPECT_TRUE(backend->device()->give_up(failed_error("broken")));
  EXPECT_EQ(told, "broken");
  EXPECT_EQ(backend->name(), "cpu");
  EXPECT_EQ(backend->device()->kernels("astc"), nullptr);
}

}  // namespace
}  // namespace tessera
