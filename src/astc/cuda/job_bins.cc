// Sorts the candidates of all families by shape.
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
  unsigned family;
  unsigned first;  // numbers of candidates
  unsigned end;
};

unsigned family_of(const EncodeTables& tables, unsigned number) {
  const auto& first = tables.first_candidate;
  const auto next =
      std::upper_bound(first.begin(), first.end(), tables.candidate_at_number[number]);
  return static_cast<unsigned>(next - first.begin()) - 1;
}

// So few that counting them costs nothing.
constexpr size_t kMostFineBins = 1024;

}  // namespace

JobBins::JobBins(const EncodeTables& tables) : bin_of_candidate(tables.all_candidates.size()) {
  // Threads side by side had best have the same candidate, or at least the same grid and family.
  const bool is_fine = tables.all_candidates.size() <= kMostFineBins;
  std::vector<Bin> bins;
  for (unsigned group = 0; group < kFamilyGroupCount; ++group) {
    for (const EncodeTables::Batch& batch : tables.batches(group)) {
      const JobShape shape = shape_of(first_of_group(group), tables.grids[batch.grid]);
      for (unsigned number = batch.first; number < batch.end; ++number) {
        const unsigned family = family_of(tables, number);
        if (is_fine || number == batch.first || family != bins.back().family) {
          bins.push_back({shape, family, number, number});
        }
        bins.back().end = number + 1;
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
