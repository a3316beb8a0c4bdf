// The running process: signals, memory, error messages, progress, and who speaks when there are
// several ranks. It needs nothing of the library, so the command and the benchmark share it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace tessera::cli {

// A text that may come from a file, for a terminal: what a terminal would obey, and bytes that are
// no UTF-8, are question marks. It stays one line.
std::string printable(std::string_view text);

// Prints one sentence on standard error and returns the exit code. When there are several ranks,
// rank 0 alone speaks.
int report_error(int exit_code, const std::string& sentence);

// SIGINT, SIGTERM and SIGHUP ask the running work to stop; they are caught before main() begins,
// but for those that the process was started to ignore.
// Work that does not stop within a moment is ended with the process, and so does a second signal.
// Writing to a closed pipe or past a file-size limit becomes an error of the write. `also`, if it
// is given, is called from the signal handler.
void install_signal_handlers(void (*also)() = nullptr);

// From here on the signals wait, for the program that this process becomes. False where one has
// come already.
bool hold_signals();

// Ends an interrupted process without making order in memory that goes away with it; returns the
// exit code where nothing was interrupted.
int end_quickly(int exit_code);

// What the signals set.
const std::atomic<bool>& is_interrupted();

// From here on, what is large goes back to the system as soon as it is freed. Otherwise the heap
// grows with what it holds for later, up to twice as large as what is in use.
void give_back_freed_memory();

// For lists of small pictures: from here on, each thread keeps up to 32 MiB of freed memory for the
// next picture. The system would clear and map every page of it again.
void reuse_freed_memory();

// False where what was printed has not reached its file: ask before claiming success.
bool flush_standard_output();

// Which rank of an MPI job this process is. Until MPI runs, the others wait a moment before they
// end with an error: the launcher ends all ranks as soon as one of them has failed.
void speak_as_rank(int rank, bool mpi_is_running);

// More threads than this are a slip of the finger.
inline constexpr unsigned kMaxThreads = 1024;

// Whether this process tells what becomes of a run: of an MPI job, rank 0 does.
bool speaks_for_all();

// Standard error is a terminal, and this process speaks there.
bool can_show_progress();

// A progress bar, when standard error is a terminal and the work takes more than a moment.
class Progress {
 public:
  Progress(std::string label, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Takes the fraction done, 0 to 1; empty where no bar is shown.
  std::function<void(double)> callback();

 private:
  void show(double fraction);

  std::string label_;
  bool enabled_;
  bool visible_ = false;
  int shown_percent_ = -1;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace tessera::cli
