#include "session.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <utility>

namespace tessera::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // it is set in a signal handler

extern "C" void on_interrupt(int) {
  interrupted = true;
}

constexpr std::array<std::string_view, 3> kKnownBackends = {"mpi", "opencl", "cuda"};

}  // namespace

int report_error(const Error& error) {
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

Status check_interrupted() {
  return interrupted ? Status(Error{ErrorCode::kInterrupted, "interrupted"}) : Status();
}

Status flush_standard_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return io_error("cannot write standard output");
  }
  return {};
}

Result<std::unique_ptr<Backend>> make_backend(const std::string& name, unsigned threads) {
  if (name == "auto" || name == "cpu") {
    return make_cpu_backend(threads);
  }
  if (std::find(kKnownBackends.begin(), kKnownBackends.end(), name) != kKnownBackends.end()) {
    return unsupported_error("the backend " + name + " is not in this build");
  }
  return usage_error("'" + name + "' is not a backend (auto, cpu)");
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
