// Signals, memory, error messages and the progress bar of the running process.
#include "process.h"

#include <malloc.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <thread>
#include <utility>

namespace tessera::cli {
namespace {

constexpr int kInterruptedCode = 6;

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // it is set in a signal handler

void (*called_on_interrupt)() = nullptr;

int own_rank = 0;
bool mpi_runs = true;
bool has_ranks = false;

std::atomic<bool> told_interruption = false;
// Rank 0 has told what ends the run, or a part of it; the launcher's signal to all ranks follows.
std::atomic<bool> told_as_rank = false;

// Work that has been asked to stop gets so long to do so. Outputs have no name before they are
// complete, so that the process may end at any moment without a trace. The system takes a tenth of
// a second to get back each gigabyte.
constexpr long kGrace = 80'000'000;          // ns
constexpr long kGraceOfRanks = 150'000'000;  // ns; ranks tell each other, in an order
timer_t last_moment = {};
bool has_timer = false;

extern "C" void on_interrupt(int) {
  interrupted = true;
  if (called_on_interrupt != nullptr) {
    called_on_interrupt();
  }
  if (has_timer) {
    itimerspec time = {};
    time.it_value.tv_nsec = has_ranks ? kGraceOfRanks : kGrace;
    ::timer_settime(last_moment, 0, &time, nullptr);
  }
}

// The work did not stop by itself: a long step of a library, a wait for a file.
extern "C" void on_last_moment(int) {
  const std::string_view sentence =
      has_ranks ? "tessera: interrupted by a signal, or because another rank has ended\n"
                : "tessera: interrupted\n";
  if (own_rank == 0 && !told_as_rank && !told_interruption.exchange(true)) {
    const ssize_t written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
    static_cast<void>(written);
  }
  ::_exit(kInterruptedCode);
}

// As soon as the process runs at all: before the objects of other files are made, which takes a
// part of a millisecond.
__attribute__((constructor(101))) void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_last_moment;
  ::sigaction(SIGALRM, &action, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  has_timer = ::timer_create(CLOCK_MONOTONIC, &event, &last_moment) == 0;
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigset_t caught;
  ::sigemptyset(&caught);
  ::sigaddset(&caught, SIGALRM);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
      ::sigaction(signal, &action, nullptr);  // who ignores it, as nohup does, means us, too
    }
    ::sigaddset(&caught, signal);
  }
  // They may be blocked by who started this: by `tessera bench` for the moment before it becomes
  // another program, so that none is lost.
  ::sigprocmask(SIG_UNBLOCK, &caught, nullptr);
}

// A mistake that every rank finds before MPI is started is told by rank 0: the others wait until
// that has ended the run. False when it has not within some seconds: the mistake is this rank's.
bool does_rank_0_speak() {
  constexpr int kSteps = 100;
  for (int i = 0; i < kSteps && !mpi_runs && !interrupted; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return mpi_runs || interrupted;
}

// Bytes of the character that the text begins with; 0 where it is none that may be printed.
size_t printable_character(std::string_view text) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return first >= 0x20 && first != 0x7F ? 1 : 0;
  }
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || length > text.size() || (first == 0xC2 && byte(1) < 0xA0)) {
    return 0;  // of two bytes, the lowest are control characters, too
  }
  for (size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) {
      return 0;
    }
  }
  // Control characters may be hidden in more bytes than they need.
  const bool is_overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool is_no_character =
      (first == 0xED && byte(1) >= 0xA0) || (first == 0xF4 && byte(1) >= 0x90);
  return is_overlong || is_no_character ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const size_t length = printable_character(text);
    shown += length > 0 ? text.substr(0, length) : "?";
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return shown;
}

int report_error(int exit_code, const std::string& sentence) {
  if (own_rank != 0 && does_rank_0_speak()) {
    return exit_code;
  }
  // Several threads may notice the same signal; one sentence is enough.
  if (exit_code == kInterruptedCode && told_interruption.exchange(true)) {
    return exit_code;
  }
  told_as_rank = has_ranks;
  std::fprintf(stderr, "tessera: %s\n", printable(sentence).c_str());
  return exit_code;
}

void install_signal_handlers(void (*also)()) {
  called_on_interrupt = also;
  if (interrupted && also != nullptr) {  // it came before this
    also();
  }
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

void give_back_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void reuse_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestPiece = 4 << 20, kMostKept = 32 << 20;  // bytes
  mallopt(M_MMAP_THRESHOLD, kLargestPiece);
  mallopt(M_TRIM_THRESHOLD, kMostKept);
#endif
}

const std::atomic<bool>& is_interrupted() {
  return interrupted;
}

bool hold_signals() {
  sigset_t held;
  ::sigemptyset(&held);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::sigaddset(&held, signal);
  }
  ::sigprocmask(SIG_BLOCK, &held, nullptr);
  return !interrupted;
}

int end_quickly(int exit_code) {
  if (interrupted) {
    std::fflush(nullptr);
    ::_exit(exit_code);
  }
  return exit_code;
}

bool flush_standard_output() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

void speak_as_rank(int rank, bool mpi_is_running) {
  has_ranks = true;
  own_rank = rank;
  mpi_runs = mpi_is_running;
}

bool speaks_for_all() {
  return own_rank == 0;
}

bool can_show_progress() {
  return own_rank == 0 && ::isatty(STDERR_FILENO) == 1;
}

Progress::Progress(std::string label, bool quiet)
    : label_(std::move(label)),
      enabled_(!quiet && can_show_progress()),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (visible_) {
    std::fputs("\r\033[K", stderr);
  }
}

std::function<void(double)> Progress::callback() {
  return enabled_ ? [this](double fraction) { show(fraction); } : std::function<void(double)>();
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
