#include "session.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include "exec/mpi/mpi_session.h"
#include "exec/opencl/opencl_backend.h"
#include "exec/opencl/opencl_session.h"
#include "mpi_options.h"

namespace tessera::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // it is set in a signal handler

extern "C" void on_interrupt(int) {
  interrupted = true;
}

constexpr std::array<std::string_view, 1> kKnownBackends = {"cuda"};

// The launcher ends all ranks as soon as one has failed. A mistake that every rank finds before MPI
// is started is told by rank 0: the others wait until that has ended the run, or some seconds.
void let_rank_0_speak() {
  constexpr int kSteps = 100;
  for (int i = 0; i < kSteps && !is_mpi_started() && !interrupted; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace

int report_error(const Error& error) {
  if (is_silent_rank()) {
    let_rank_0_speak();
    return static_cast<int>(error.code);
  }
  // Several threads may notice the same signal; one sentence is enough.
  static std::atomic<bool> interrupted = false;
  if (error.code == ErrorCode::kInterrupted && interrupted.exchange(true)) {
    return static_cast<int>(error.code);
  }
  std::string sentence = error.message;
  // A file's name may hold a line break; the sentence stays one line.
  std::replace_if(
      sentence.begin(), sentence.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  std::fprintf(stderr, "tessera: %s\n", sentence.c_str());
  return static_cast<int>(error.code);
}

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::sigaction(signal, &action, nullptr);
  }
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>* interruption() {
  return &interrupted;
}

Status check_interrupted() {
  return interrupted ? Status(Error{ErrorCode::kInterrupted, "interrupted"}) : Status();
}

Status flush_standard_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return io_error("cannot write standard output");
  }
  return {};
}

namespace {

void tell_fallback(const std::string& reason) {
  std::fprintf(stderr, "note: %s; the CPU does it\n", reason.c_str());
}

// An OpenCL device where there is one, else the CPU.
std::unique_ptr<Backend> make_automatic_backend(const BackendChoice& choice) {
  auto backend = make_opencl_backend(choice.device, choice.threads, tell_fallback);
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
    return make_opencl_backend(device, choice.threads);
  }
  if (name == "auto" && (choice.was_asked_for || choice.device)) {
    return make_automatic_backend(choice);
  }
  if (name == "auto" || name == "cpu" || name == "threads") {
    return make_cpu_backend(choice.threads);
  }
  if (name == "mpi") {  // encode has not come here
    return unsupported_error(mpi::have_mpi() ? "the backend mpi encodes, and does nothing else"
                                             : "this build has no MPI");
  }
  if (std::find(kKnownBackends.begin(), kKnownBackends.end(), name) != kKnownBackends.end()) {
    return unsupported_error("the backend " + name + " is not in this build");
  }
  return usage_error("'" + name + "' is not a backend (auto, cpu, opencl, mpi)");
}

void add_backend_options(CLI::App& command, BackendChoice& choice) {
  command.add_option_function<std::string>(
      "--backend",
      [&choice](const std::string& name) {
        choice.name = name;
        choice.was_asked_for = true;
      },
      "cpu, opencl, mpi (encode, under mpirun), or auto: an OpenCL GPU where there is one "
      "(default: cpu)");
  command.add_option("--device", choice.device,
                     "OpenCL device by its number (tessera info --devices)");
}

Progress::Progress(std::string label, bool quiet)
    : label_(std::move(label)),
      enabled_(!quiet && ::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (visible_) {
    std::fputs("\r\033[K", stderr);
  }
}

RunControl Progress::control() {
  RunControl control;
  control.cancelled = &interrupted;
  if (enabled_) {
    control.progress = [this](double fraction) { show(fraction); };
  }
  return control;
}

void Progress::show(double fraction) {
  constexpr auto kPatience = std::chrono::milliseconds(300);
  constexpr int kWidth = 30;  // characters
  const int percent = static_cast<int>(fraction * 100);
  if (percent == shown_percent_ || std::chrono::steady_clock::now() - start_ < kPatience) {
    return;
  }
  shown_percent_ = percent;
  visible_ = true;
  const int filled = percent * kWidth / 100;
  std::fprintf(stderr, "\r\033[K%s [%s%s] %d %%", label_.c_str(),
               std::string(static_cast<size_t>(filled), '#').c_str(),
               std::string(static_cast<size_t>(kWidth - filled), '.').c_str(), percent);
  std::fflush(stderr);
}

}  // namespace tessera::cli
