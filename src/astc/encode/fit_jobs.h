// Between ranking and fitting: pairs of a block and a configuration that is to be fitted to it,
// sorted so that those of the same group of families, grid, family and candidate lie together.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "astc/encode/chunk.h"
#include "astc/encode/encode_tables.h"
#include "base/for_overwrite.h"

namespace tessera::astc {

struct FitJob {
  uint16_t block;
  uint16_t candidate_number;  // see EncodeTables
  int32_t configuration;      // code of a Configuration
  uint32_t rank;              // the fit's place among those of its block

  unsigned family_index() const { return Configuration::of_code(configuration).family; }
  const Family& family() const { return family_of_index(family_index()); }
};

class FitJobs {
 public:
  FitJobs() : jobs_(make_unique_for_overwrite<FitJob[]>(kMaxFitJobs)) {}

  static constexpr float kNoLimit = std::numeric_limits<float>::infinity();

  // The best configurations of each block, as the ranking or keep_best() left them, as far as their
  // error is below a limit.
  void collect(const EncodeTables& tables, const Chunk& chunk, unsigned fits, float limit);

  // Whether there are jobs of the group of families.
  bool has_group(unsigned group) const { return has_group_[group]; }
  // Of a group that has some; those of the same candidate lie together.
  std::span<const FitJob> of_batch(const EncodeTables::Batch& batch) const {
    return {jobs_.get() + first_[batch.first], jobs_.get() + end_[batch.end - 1]};
  }

 private:
  std::array<bool, kFamilyGroupCount> has_group_{};
  // Room for kMaxFitJobs, of which most presets touch a small part.
  std::unique_ptr<FitJob[]> jobs_;
  // By the number of the candidate.
  std::array<uint32_t, kFamilyCount * kMaxCandidates> first_;
  std::array<uint32_t, kFamilyCount * kMaxCandidates> end_;
};

// Of each block's `fits` configurations, with the errors of their fits instead of estimates, those
// `kept` with the lowest errors come first, or only one where its error per texel is small enough.
void keep_best(Chunk& chunk, unsigned fits, unsigned kept, float small_error);

}  // namespace tessera::astc
