// What every reader is held to while it reads one input: the memory and time that SECURITY.md
// promises for files that are not trusted.
#pragma once

#include <time.h>

#include <cstdint>

#include "base/limits.h"
#include "base/read_budget.h"

namespace tessera::fuzz {

// The limits for files that are not trusted. A search has fewer pixels, because its time is better
// spent on small pictures; with TESSERA_FUZZ_ALL_PIXELS in the environment it has all of them.
Limits limits();

// From its construction on, memory is counted that is taken from the heap. The destructor aborts,
// with a sentence, when there was more than 64 bytes for each byte of the file and 64 MiB at a
// time, or when it took more than 5 s of processor time.
class Measured {
 public:
  explicit Measured(size_t file_bytes);
  ~Measured();
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;

  const ReadBudget& budget() const { return budget_; }

 private:
  size_t file_bytes_;
  int64_t start_bytes_;
  timespec start_time_ = {};
  ReadBudget budget_;
};

// Aborts where something is not as it must be.
void require(bool condition, const char* sentence);

}  // namespace tessera::fuzz
