// Makes the backend that a context asks for, and lists devices.
#include "api/backends.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "api/errors.h"
#ifdef TESSERA_HAVE_OPENCL
#include "codec/opencl_backend.h"
#include "exec/opencl/opencl_session.h"
#endif

namespace tessera::api {
namespace {

constexpr uint32_t kMaxThreads = 1024;  // more are a slip of the finger
// Names that the project knows, whether or not this build has them.
constexpr std::array<std::string_view, 4> kOtherBackends = {"opencl", "auto", "mpi", "cuda"};

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

#ifdef TESSERA_HAVE_OPENCL
std::optional<unsigned> chosen_device(const tessera_context_options& options) {
  return options.device == 0 ? std::nullopt : std::optional<unsigned>(options.device - 1);
}

// A device where there is one, else threads, and a note why.
Result<std::unique_ptr<Backend>> make_automatic(const tessera_context_options& options) {
  const auto tell = [note = options.note, user = options.note_user](const std::string& reason) {
    if (note != nullptr) {
      note(user, reason.c_str());
    }
  };
  auto backend = make_opencl_backend(chosen_device(options), make_threads(options.threads), tell);
  if (backend) {
    return backend;
  }
  tell(backend.error().message);
  return make_threads(options.threads);
}
#endif

}  // namespace

unsigned all_cores() {
  return std::max(1U, std::thread::hardware_concurrency());
}

Result<unsigned> device_of_rank([[maybe_unused]] unsigned number) {
#ifdef TESSERA_HAVE_OPENCL
  return default_opencl_device(number);
#else
  return unsupported_error("this build has no OpenCL");
#endif
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
  if (options.device != 0 && name != "opencl" && name != "auto") {
    return usage_error("a device needs the backend opencl or auto");
  }
  if (name == "cpu" || name == "threads") {
    return make_threads(options.threads);
  }
  if (name == "serial") {
    return make_serial_backend();
  }
#ifdef TESSERA_HAVE_OPENCL
  if (name == "auto") {
    return make_automatic(options);
  }
  if (name == "opencl") {
    return make_opencl_backend(chosen_device(options), make_threads(options.threads));
  }
#else
  if (name == "auto") {
    return make_threads(options.threads);
  }
#endif
  if (std::find(kOtherBackends.begin(), kOtherBackends.end(), name) != kOtherBackends.end()) {
    return unsupported_error("the backend " + name + " is not in this build");
  }
  return usage_error("'" + name + "' is not a backend (auto, cpu, serial, opencl, mpi)");
}

}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_device_at(uint32_t index, tessera_device_info* info, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(info, "info"));
#ifdef TESSERA_HAVE_OPENCL
    TESSERA_ASSIGN_OR_RETURN(const auto devices, list_opencl_devices());
    if (index >= devices.size()) {
      return usage_error("there is no device number " + std::to_string(index) + ": there are " +
                         std::to_string(devices.size()));
    }
    const OpenClDeviceInfo& device = devices[index];
    tessera_device_info result = {};
    copy_text(device.name, result.name);
    copy_text(device.platform, result.platform);
    copy_text(device.version, result.version);
    result.is_gpu = device.is_gpu ? 1 : 0;
    result.compute_units = device.compute_units;
    result.memory_bytes = device.memory_bytes;
    return write_result(result, info, "tessera_device_info");
#else
    return unsupported_error("this build has no device " + std::to_string(index) +
                             ": it was made without OpenCL");
#endif
  });
}
