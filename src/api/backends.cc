// Makes the backend that a context asks for, and lists devices.
#include "api/backends.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "api/errors.h"
#include "codec/opencl_backend.h"
#include "exec/cuda/cuda_plugin.h"
#include "exec/opencl/opencl_session.h"

namespace tessera::api {
namespace {

constexpr uint32_t kMaxThreads = 1024;  // more are a slip of the finger
// In the order in which they are preferred.
constexpr std::array<std::string_view, 2> kDeviceKinds = {"cuda", "opencl"};

std::unique_ptr<Backend> make_callers_threads(const tessera_context_options& options) {
  const auto run = options.parallel_run;
  void* const user = options.parallel_user;
  using Work = std::function<void(size_t)>;
  const auto runner = [run, user](size_t count, const Work& work) {
    const auto run_one = [](void* state, size_t i) { (*static_cast<const Work*>(state))(i); };
    run(user, count, run_one, const_cast<Work*>(&work));
  };
  return make_runner_backend(runner, options.threads == 0 ? all_cores() : options.threads);
}

std::unique_ptr<Backend> make_threads(uint32_t threads) {
#ifdef TESSERA_HAVE_THREADS
  return make_cpu_backend(threads);
#else
  static_cast<void>(threads);
  return make_serial_backend();
#endif
}

std::optional<unsigned> chosen_device(const tessera_context_options& options) {
  return options.device == 0 ? std::nullopt : std::optional<unsigned>(options.device - 1);
}

Result<OpenDevice> open_cuda_device(std::optional<unsigned> device) {
  TESSERA_ASSIGN_OR_RETURN(CudaLibrary* const library, cuda_library());
  return library->open(device.value_or(0));
}

Result<OpenDevice> open_device(std::string_view kind, std::optional<unsigned> device) {
  return kind == "cuda" ? open_cuda_device(device) : open_opencl_device(device);
}

// All kinds of devices that there are, else threads, and a note why. A format's work goes to the
// first one that has kernels for it.
Result<std::unique_ptr<Backend>> make_automatic(const tessera_context_options& options) {
  const auto tell = [note = options.note, user = options.note_user](const std::string& reason) {
    if (note != nullptr) {
      note(user, reason.c_str());
    }
  };
  std::vector<OpenDevice> devices;
  std::string reason;
  for (const std::string_view kind : kDeviceKinds) {
    auto device = open_device(kind, chosen_device(options));
    if (device) {
      devices.push_back(std::move(*device));
    } else {
      reason = device.error().message;
    }
  }
  if (devices.empty()) {
    tell(reason);
    return make_threads(options.threads);
  }
  return make_device_backend(std::move(devices), make_threads(options.threads), tell);
}

}  // namespace

unsigned all_cores() {
  return std::max(1U, std::thread::hardware_concurrency());
}

bool is_device_kind(std::string_view backend) {
  return std::find(kDeviceKinds.begin(), kDeviceKinds.end(), backend) != kDeviceKinds.end();
}

Result<unsigned> device_of_rank(std::string_view kind, unsigned number) {
  if (kind == "opencl") {
    return default_opencl_device(number);
  }
  TESSERA_ASSIGN_OR_RETURN(CudaLibrary* const library, cuda_library());
  TESSERA_ASSIGN_OR_RETURN(const auto devices, library->list_devices());
  return number % static_cast<unsigned>(devices.size());
}

Result<std::unique_ptr<Backend>> make_backend(const tessera_context_options& options) {
  const std::string name = text_or(options.backend, "cpu");
  if (options.threads > kMaxThreads) {
    return usage_error("a context has at most 1024 threads");
  }
  if (options.parallel_run != nullptr) {
    if (options.backend != nullptr || options.device != 0) {
      return usage_error("the caller's threads take the place of a backend or a device");
    }
    return make_callers_threads(options);
  }
  if (options.device != 0 && !is_device_kind(name) && name != "auto") {
    return usage_error("a device needs the backend cuda, opencl or auto");
  }
  if (name == "cpu" || name == "threads") {
    return make_threads(options.threads);
  }
  if (name == "serial") {
    return make_serial_backend();
  }
  if (name == "auto") {
    return make_automatic(options);
  }
  if (is_device_kind(name)) {
    TESSERA_ASSIGN_OR_RETURN(OpenDevice device, open_device(name, chosen_device(options)));
    return make_device_backend(std::move(device), make_threads(options.threads), {});
  }
  if (name == "mpi") {
    return unsupported_error("the backend mpi is not in this build");
  }
  return usage_error("'" + name + "' is not a backend (auto, cpu, serial, cuda, opencl, mpi)");
}

namespace {

tessera_device_info to_c(const OpenClDeviceInfo& device, uint32_t number) {
  tessera_device_info result = {};
  copy_text(device.name, result.name);
  copy_text(device.platform, result.platform);
  copy_text(device.version, result.version);
  result.is_gpu = device.is_gpu ? 1 : 0;
  result.compute_units = device.compute_units;
  result.memory_bytes = device.memory_bytes;
  copy_text("opencl", result.backend);
  result.number = number;
  return result;
}

tessera_device_info to_c(const CudaDeviceInfo& device, uint32_t number) {
  tessera_device_info result = {};
  copy_text(device.name, result.name);
  copy_text("NVIDIA CUDA", result.platform);
  copy_text(device.version, result.version);
  result.is_gpu = 1;
  result.compute_units = device.processors;
  result.memory_bytes = device.memory_bytes;
  copy_text("cuda", result.backend);
  result.number = number;
  return result;
}

template <class Info>
void append(const Result<std::vector<Info>>& found, std::vector<tessera_device_info>& devices) {
  uint32_t number = 0;
  for (size_t i = 0; found && i < found->size(); ++i) {
    devices.push_back(to_c((*found)[i], number++));
  }
}

// Of all kinds; the reason where there is none.
Result<std::vector<tessera_device_info>> all_devices() {
  std::vector<tessera_device_info> devices;
  const auto opencl = list_opencl_devices();
  append(opencl, devices);
  if (const auto library = cuda_library()) {
    append((*library)->list_devices(), devices);
  }
  if (devices.empty()) {
    return opencl.error();
  }
  return devices;
}

}  // namespace
}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_device_at(uint32_t index, tessera_device_info* info, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(info, "info"));
    TESSERA_ASSIGN_OR_RETURN(const auto devices, all_devices());
    if (index >= devices.size()) {
      return usage_error("there is no device number " + std::to_string(index) + ": there are " +
                         std::to_string(devices.size()));
    }
    return write_result(devices[index], info, "tessera_device_info");
  });
}
