// What the readers of one file share: the limits, the time, and whether to stop. A reader asks it
// before it takes memory, and again and again while it works.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/limits.h"
#include "base/result.h"

namespace tessera {

// The memory that a file leads to, in bytes.
struct MemoryNeed {
  uint64_t file = 0;     // the file itself
  uint64_t picture = 0;  // what is read from it
  uint64_t scratch = 0;  // what its reader needs besides
  uint64_t pixels = 0;   // of the picture; the job takes some bytes for each
  uint32_t sample = 1;   // bytes of a sample of the picture
  // Of a slice of the picture, in pixels: how many blocks it has follows from them. 0: not known.
  uint32_t width = 0;
  uint32_t height = 0;
  // Of a file that is read piece by piece: they take no memory, but justify it as those of `file`.
  uint64_t unheld_file = 0;
};

class ReadBudget {
 public:
  // The usual limits; nothing stops it.
  ReadBudget() = default;
  // The time counts from here on.
  // `job_memory` tells the bytes that the job takes for such a picture, besides the picture itself;
  // empty: none.
  ReadBudget(const Limits& limits, const std::atomic<bool>* cancelled,
             std::function<uint64_t(const MemoryNeed& need)> job_memory = {});

  const Limits& limits() const { return limits_; }

  // `reserve` is told how many bytes the job will need in all, each time that this is known better,
  // and may wait until there are as many; empty: nobody has to wait.
  void set_reserve(std::function<void(uint64_t bytes)> reserve) { reserve_ = std::move(reserve); }

  // Each fails with a sentence that names the limit, what the file wants, and the option that lifts
  // the limit. `name` is that of the file.
  Status check_file(const std::string& name, uint64_t bytes) const;
  // The same for a file that is not held in memory.
  Status check_file_size(const std::string& name, uint64_t bytes) const;
  Status check_pixels(const std::string& name, uint64_t width, uint64_t height,
                      uint64_t slices = 1) const;
  Status check_memory(const std::string& name, const MemoryNeed& need) const;
  // Whether somebody has asked to stop, or the time is over.
  Status check_time(const std::string& name) const;

  // The same as check_time for callbacks of C libraries, which ask for the sentence later.
  bool is_over() const { return is_cancelled() || is_late(); }
  bool is_cancelled() const { return cancelled_ != nullptr && cancelled_->load(); }

  // Whether there is something that tells to stop.
  bool can_be_cancelled() const { return cancelled_ != nullptr; }

  // Bytes of memory that may still be taken by a reader that has such a need.
  uint64_t memory_left(const MemoryNeed& need) const;

 private:
  bool is_late() const;
  uint64_t memory_limit(const MemoryNeed& need) const;
  uint64_t total_of(const MemoryNeed& need) const;

  Limits limits_;
  const std::atomic<bool>* cancelled_ = nullptr;
  std::function<uint64_t(const MemoryNeed& need)> job_memory_;
  std::function<void(uint64_t bytes)> reserve_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace tessera
