// Other programs, run without a shell: their arguments are what they are, whatever characters they
// hold.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/result.h"

namespace tessera::bench {

// From now on a program that runs is ended when the flag is set.
void end_programs_when(const std::atomic<bool>& flag);

// Runs the program that is found in PATH under the first name, with the other arguments, and
// returns what it printed. Fails unless it ends with exit code 0.
Result<std::string> run_program(const std::vector<std::string>& arguments);

}  // namespace tessera::bench
