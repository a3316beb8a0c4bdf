// Makes the backend that the options ask for.
#include "backend_choice.h"

#include <cstdio>
#include <utility>

#include "codec/opencl_backend.h"
#include "exec/opencl/opencl_session.h"

namespace tessera::cli {
namespace {

void tell_fallback(const std::string& reason) {
  std::fprintf(stderr, "note: %s; the CPU does it\n", reason.c_str());
}

// An OpenCL device where there is one, else the CPU.
std::unique_ptr<Backend> make_automatic_backend(const BackendChoice& choice) {
  auto backend =
      make_opencl_backend(choice.device, make_cpu_backend(choice.threads), tell_fallback);
  if (backend) {
    return std::move(*backend);
  }
  tell_fallback(backend.error().message);
  return make_cpu_backend(choice.threads);
}

}  // namespace

Result<std::unique_ptr<Backend>> make_backend(const BackendChoice& choice) {
  const std::string& name = choice.name;
  if (choice.device && name != "opencl" && name != "auto") {
    return usage_error("--device needs --backend opencl or auto");
  }
  if (name == "opencl") {
    std::optional<unsigned> device = choice.device;
    if (!device) {
      TESSERA_ASSIGN_OR_RETURN(device, default_opencl_device(choice.gpu));
    }
    return make_opencl_backend(device, make_cpu_backend(choice.threads));
  }
  if (name == "auto" && (choice.was_asked_for || choice.device)) {
    return make_automatic_backend(choice);
  }
  if (name == "auto" || name == "cpu" || name == "threads") {
    return make_cpu_backend(choice.threads);
  }
  if (name == "cuda" || name == "mpi") {
    return unsupported_error("the benchmark does not measure the backend " + name +
                             ": it measures cpu, opencl and auto");
  }
  return usage_error("'" + name + "' is not a backend (auto, cpu, opencl)");
}

void add_backend_options(CLI::App& command, BackendChoice& choice) {
  command.add_option_function<std::string>(
      "--backend",
      [&choice](const std::string& name) {
        choice.name = name;
        choice.was_asked_for = true;
      },
      "cpu, opencl, or auto: an OpenCL GPU where there is one (default: cpu)");
  command.add_option(
      "--device", choice.device,
      "Device of OpenCL by its number (tessera info --devices), for --backend opencl or auto and "
      "for --opencl-study; the benchmark uses no other devices");
}

}  // namespace tessera::cli
