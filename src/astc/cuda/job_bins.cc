// Sorts the batches of all families by shape.
#include "astc/cuda/job_bins.h"

#include <algorithm>
#include <tuple>

namespace tessera::astc {
namespace {

JobShape shape_of(const Family& family, const WeightGrid& grid) {
  const unsigned slots = stored_channels(family.color_class);
  // As on the CPU: grey pictures are few, and two partitions need no code of their own there.
  const unsigned two = slots > 2 ? 2 : kMaxPartitions;
  const unsigned partitions =
      family.partitions > 2 ? kMaxPartitions : (family.partitions == 2 ? two : 1);
  return {slots, family.dual_plane, partitions, !grid.is_identity};
}

struct Bin {
  JobShape shape;
  unsigned first;  // numbers of candidates
  unsigned end;
};

// So few that counting them costs nothing.
constexpr size_t kMostFineBins = 1024;

}  // namespace

JobBins::JobBins(const EncodeTables& tables) : bin_of_candidate(tables.all_candidates.size()) {
  // Threads side by side had best have the same candidate, or at least the same grid.
  const bool is_fine = tables.all_candidates.size() <= kMostFineBins;
  std::vector<Bin> bins;
  for (unsigned family = 0; family < kFamilyCount; ++family) {
    for (const EncodeTables::Batch& batch : tables.batches(family)) {
      const JobShape shape = shape_of(family_of_index(family), tables.grids[batch.grid]);
      const unsigned step = is_fine ? 1u : unsigned{batch.end} - batch.first;
      for (unsigned first = batch.first; first < batch.end; first += step) {
        bins.push_back({shape, first, first + step});
      }
    }
  }
  std::stable_sort(bins.begin(), bins.end(),
                   [](const Bin& a, const Bin& b) { return a.shape < b.shape; });
  for (const Bin& bin : bins) {
    if (ranges.empty() || ranges.back().shape != bin.shape) {
      ranges.push_back({bin.shape, count, count});
    }
    for (unsigned number = bin.first; number < bin.end; ++number) {
      bin_of_candidate[tables.candidate_at_number[number]] = static_cast<uint16_t>(count);
    }
    ranges.back().end = ++count;
  }
}

}  // namespace tessera::astc
