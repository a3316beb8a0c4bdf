// How jobs of fitting are sorted for a device: into bins of equal work, those of one shape one
// behind the other, so that a shape's code runs over all its jobs at once.
#pragma once

#include <cstdint>
#include <vector>

#include "astc/encode/encode_tables.h"

namespace tessera::astc {

// Code is compiled for these, see FitShape. `partitions` is 1, 2 or kMaxPartitions.
struct JobShape {
  unsigned slots;
  bool dual_plane;
  unsigned partitions;
  bool is_coarse;  // fewer weights than texels

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's own 0 for a pointer
  auto operator<=>(const JobShape&) const = default;
};

struct JobBins {
  struct Range {
    JobShape shape;
    uint32_t first;
    uint32_t end;
  };

  explicit JobBins(const EncodeTables& tables);

  uint32_t count = 0;
  std::vector<Range> ranges;               // bins of each shape
  std::vector<uint16_t> bin_of_candidate;  // by the index in EncodeTables::all_candidates
};

}  // namespace tessera::astc
