// Other programs, run without a shell: their arguments are what they are, whatever characters they
// hold. The command runs rivals, too, so this needs the standard library only.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace tessera::bench {

enum class ProgramEnd { kDone, kFailed, kTooLong, kInterrupted };

struct ProgramRun {
  ProgramEnd end = ProgramEnd::kFailed;
  std::string output;   // of standard output and standard error
  std::string problem;  // a sentence, unless it is done
};

// A year: the largest number that there is does not fit into other units.
inline constexpr std::chrono::milliseconds kNoLimit = std::chrono::hours(24 * 365);

// From now on a program that runs is ended when the flag is set.
void end_programs_when(const std::atomic<bool>& flag);

// Runs the program that is found in PATH under the first name, with the other arguments. It is done
// when it ends with exit code 0; past the limit it is ended.
ProgramRun run_program(const std::vector<std::string>& arguments,
                       std::chrono::milliseconds limit = kNoLimit);

}  // namespace tessera::bench
