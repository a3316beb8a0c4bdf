// Collects and sorts the fits that a chunk needs.
#include "astc/encode/fit_jobs.h"

#include <algorithm>

namespace tessera::astc {

// Sorts by counting, in two passes over what the ranking left; jobs of a candidate stay in the
// order of blocks. Only the counters of groups that occur are touched.
void FitJobs::collect(const EncodeTables& tables, const Chunk& chunk, unsigned fits, float limit) {
  static_assert(kFamilyCount * kMaxCandidates <= 0xFFFF);
  const auto for_jobs = [&](const auto& work) {
    for (size_t block = 0; block < chunk.count; ++block) {
      for (unsigned rank = 0; rank < fits; ++rank) {
        const int32_t code = chunk.configuration(rank)[block];
        if (code != kNoConfiguration && chunk.estimate(rank)[block] < limit) {
          const Configuration configuration = Configuration::of_code(code);
          const unsigned number = tables.number(configuration.family, configuration.candidate);
          work(FitJob{static_cast<uint16_t>(block), static_cast<uint16_t>(number), code, rank});
        }
      }
    }
  };
  has_group_.fill(false);
  for_jobs([&](const FitJob& job) {
    const unsigned group = family_group(job.family());
    if (!has_group_[group]) {
      has_group_[group] = true;
      std::fill(end_.begin() + tables.first_number[group],
                end_.begin() + tables.first_number[group + 1], 0u);
    }
    ++end_[job.candidate_number];
  });
  uint32_t next = 0;
  for (unsigned group = 0; group < kFamilyGroupCount; ++group) {
    for (unsigned number = tables.first_number[group];
         has_group_[group] && number < tables.first_number[group + 1]; ++number) {
      first_[number] = next;
      next += end_[number];
      end_[number] = first_[number];
    }
  }
  for_jobs([&](const FitJob& job) { jobs_[end_[job.candidate_number]++] = job; });
}

void keep_best(Chunk& chunk, unsigned fits, unsigned kept, float small_error) {
  struct Fit {
    float error;
    int32_t configuration;

    // Equal errors must not leave the choice to the library.
    bool operator<(const Fit& other) const {
      return error != other.error ? error < other.error : configuration < other.configuration;
    }
  };
  std::array<Fit, kMaxFits> of_block;
  for (size_t block = 0; block < chunk.count; ++block) {
    unsigned count = 0;
    for (unsigned i = 0; i < fits; ++i) {
      of_block[count] = {chunk.estimate(i)[block], chunk.configuration(i)[block]};
      count += of_block[count].configuration != kNoConfiguration ? 1 : 0;
    }
    const unsigned room = std::min(kept, count);
    std::partial_sort(of_block.begin(), of_block.begin() + room, of_block.begin() + count);
    const bool one_will_do =
        room > 1 && of_block[0].error <= small_error * chunk.texels_inside(block);
    const unsigned taken = one_will_do ? 1 : room;
    for (unsigned i = 0; i < kept; ++i) {
      chunk.estimate(i)[block] = i < taken ? of_block[i].error : kNoError;
      chunk.configuration(i)[block] = i < taken ? of_block[i].configuration : kNoConfiguration;
    }
  }
}

}  // namespace tessera::astc
