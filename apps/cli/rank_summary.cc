// What each rank has done, for the end of a run with several files.
#include "rank_summary.h"

#include <algorithm>
#include <cstdio>

namespace tessera::cli {

void RankSummary::add(const FileOutcome<FileEncodeReport>& outcome) {
  Total& total = ranks_[static_cast<size_t>(outcome.rank)];
  if (!outcome.report) {
    ++total.failures;
    return;
  }
  ++total.files;
  const FileEncodeReport& report = *outcome.report;
  if (report.ranks.empty()) {
    total.pixels += report.encode.encoded_pixels;
  }
  for (size_t rank = 0; rank < report.ranks.size(); ++rank) {
    ranks_[rank].pixels += report.ranks[rank].pixels;
  }
}

void RankSummary::print(const BatchOptions& options) const {
  // Before other ranks are told to stop: when one ends with an error, mpirun ends all.
  std::fflush(stdout);
  if (options.quiet || options.inputs.size() < 2) {
    return;
  }
  FILE* out = options.json ? stderr : stdout;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const auto rate = [&](uint64_t pixels) {
    return static_cast<double>(pixels) / 1e6 / std::max(seconds, 1e-9);
  };
  Total all;
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    const Total& total = ranks_[rank];
    all.files += total.files;
    all.failures += total.failures;
    all.pixels += total.pixels;
    std::fprintf(out, "rank %zu: %lu files, %lu failed, %.1f MP/s\n", rank, total.files,
                 total.failures, rate(total.pixels));
  }
  std::fprintf(out, "all ranks: %lu files, %lu failed, %.1f MP/s, %.2f s\n", all.files,
               all.failures, rate(all.pixels), seconds);
  std::fflush(out);
}

}  // namespace tessera::cli
