// What each rank has done, for the end of a run with several files.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "batch.h"
#include "files/file_report.h"
#include "files/file_runner.h"

namespace tessera::cli {

class RankSummary {
 public:
  explicit RankSummary(size_t ranks) : ranks_(ranks) {}

  void add(const FileOutcome<FileEncodeReport>& outcome);
  // Unless nothing is to be printed, or there was one file only.
  void print(const BatchOptions& options) const;

 private:
  struct Total {
    uint64_t files = 0;
    uint64_t failures = 0;
    uint64_t pixels = 0;
  };

  std::vector<Total> ranks_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tessera::cli
