// Collects and sorts the fits that a chunk needs.
#include "astc/encode/fit_jobs.h"

#include <algorithm>

namespace tessera::astc {

void FitJobs::collect(const EncodeTables& tables, const Chunk& chunk, unsigned fits, float limit) {
  static_assert(kFamilyCount * kMaxCandidates <= 0xFFFF);
  tables_ = &tables;
  count_ = 0;
  for (size_t block = 0; block < chunk.count; ++block) {
    for (unsigned i = 0; i < fits; ++i) {
      const int32_t code = chunk.configuration(i)[block];
      if (code == kNoConfiguration || chunk.estimate(i)[block] >= limit) {
        continue;
      }
      const Configuration configuration = Configuration::of_code(code);
      FitJob& job = unsorted_[count_++];
      job.block = static_cast<uint16_t>(block);
      job.candidate_number =
          static_cast<uint16_t>(tables.number(configuration.family, configuration.candidate));
      job.configuration = code;
    }
  }
  sort();
}

// By counting; jobs of a candidate stay in order. Only the counters of groups that occur are
// touched.
void FitJobs::sort() {
  has_group_.fill(false);
  for (size_t i = 0; i < count_; ++i) {
    has_group_[family_group(unsorted_[i].family())] = true;
  }
  // Calls work(number) for each candidate of the groups that occur.
  const auto for_candidates = [&](const auto& work) {
    for (unsigned group = 0; group < kFamilyGroupCount; ++group) {
      for (unsigned number = tables_->first_number[group];
           has_group_[group] && number < tables_->first_number[group + 1]; ++number) {
        work(number);
      }
    }
  };
  for_candidates([&](unsigned number) { end_[number] = 0; });
  for (size_t i = 0; i < count_; ++i) {
    ++end_[unsorted_[i].candidate_number];
  }
  uint32_t next = 0;
  for_candidates([&](unsigned number) {
    first_[number] = next;
    next += end_[number];
    end_[number] = first_[number];
  });
  for (size_t i = 0; i < count_; ++i) {
    jobs_[end_[unsorted_[i].candidate_number]++] = unsorted_[i];
  }
}

void FitJobs::keep_best(const Chunk& chunk, unsigned kept, float small_error) {
  // Back to the order of the blocks, by counting again.
  std::array<uint32_t, kMaxChunkBlocks + 1> first, next;  // as far as there are blocks
  std::fill_n(first.begin(), chunk.count + 1, 0u);
  for (size_t i = 0; i < count_; ++i) {
    ++first[jobs_[i].block + 1u];
  }
  for (size_t block = 0; block < chunk.count; ++block) {
    first[block + 1] += first[block];
  }
  std::copy_n(first.begin(), chunk.count, next.begin());
  for (size_t i = 0; i < count_; ++i) {
    unsorted_[next[jobs_[i].block]++] = jobs_[i];
  }
  size_t count = 0;
  for (size_t block = 0; block < chunk.count; ++block) {
    FitJob* const begin = unsorted_.get() + first[block];
    FitJob* const end = unsorted_.get() + first[block + 1];
    const auto room = std::min(static_cast<ptrdiff_t>(kept), end - begin);
    // Equal errors must not leave the choice to the library.
    std::partial_sort(begin, begin + room, end, [](const FitJob& a, const FitJob& b) {
      return a.error != b.error ? a.error < b.error : a.configuration < b.configuration;
    });
    const bool one_will_do = room > 1 && begin->error <= small_error * chunk.texels_inside(block);
    const auto taken = one_will_do ? ptrdiff_t{1} : room;
    std::move(begin, begin + taken, unsorted_.get() + count);
    count += static_cast<size_t>(taken);
  }
  count_ = count;
  sort();
}

}  // namespace tessera::astc
