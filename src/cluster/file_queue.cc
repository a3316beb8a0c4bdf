// Whole files as units of work, largest first.
#include "cluster/file_queue.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>

#include "cluster/file_message.h"
#include "files/file.h"

namespace tessera::cluster {
namespace {

// " (ranks 2, 1 and 0 have tried)".
std::string name_ranks(const std::vector<int>& ranks) {
  std::string names = " (ranks ";
  for (size_t i = 0; i < ranks.size(); ++i) {
    const bool is_last = i + 1 == ranks.size();
    names += (i == 0 ? "" : is_last ? " and " : ", ") + std::to_string(ranks[i]);
  }
  return names + " have tried)";
}

}  // namespace

FileSplit split_files(const std::vector<uint64_t>& sizes, size_t ranks,
                      std::optional<uint64_t> split_over) {
  const uint64_t total = std::accumulate(sizes.begin(), sizes.end(), uint64_t{0});
  const uint64_t limit = split_over.value_or(total / (2 * ranks));
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
  FileSplit split;
  for (const size_t index : order) {
    (sizes.size() == 1 || sizes[index] > limit ? split.shared : split.whole).push_back(index);
  }
  return split;
}

FileQueue::FileQueue(const std::vector<size_t>& order, const std::vector<FilePair>& files,
                     size_t ranks, bool gather, const std::atomic<bool>* cancelled,
                     const Done& done)
    : order_(order),
      files_(files),
      ranks_(ranks),
      gather_(gather),
      cancelled_(cancelled),
      done_(done) {}

std::optional<size_t> FileQueue::take_file() {
  const std::lock_guard lock(mutex_);
  return next_for(0);
}

// The mutex must be held. Files that were given back come first: ranks may be waiting for them.
std::optional<size_t> FileQueue::next_for(int rank) {
  if (is_cancelled()) {
    return std::nullopt;
  }
  const auto again =
      std::ranges::find_if(returned_, [&](size_t index) { return may_try(rank, index); });
  if (again != returned_.end()) {
    const size_t index = *again;
    returned_.erase(again);
    return index;
  }
  const bool gets_new_ones = rank == 0 || (!unsettled_.contains(rank) && !cannot_.contains(rank));
  if (next_ == order_.size() || !gets_new_ones) {
    return std::nullopt;
  }
  return order_[next_++];
}

// The last try is rank 0's, unless it has had its own.
bool FileQueue::may_try(int rank, size_t index) const {
  const std::vector<int>& tried = tried_.at(index);
  const auto has_tried = [&](int one) { return std::ranges::find(tried, one) != tried.end(); };
  return !has_tried(rank) && (rank == 0 || tried.size() < kMostReturns || has_tried(0));
}

std::optional<Unit> FileQueue::take(int rank) {
  std::optional<size_t> index;
  {
    const std::lock_guard lock(mutex_);
    index = next_for(rank);
    if (!index) {
      return std::nullopt;
    }
    ++under_way_;
  }
  Unit unit;
  unit.kind = kFileKind;
  unit.fields[0] = *index;
  unit.most_output_bytes = gather_ ? kMaxMessageBytes : kMostReportBytes;
  unit.done = [this, index = *index](const UnitOutcome& outcome) { receive(index, outcome); };
  return unit;
}

void FileQueue::receive(size_t index, const UnitOutcome& outcome) {
  // What rank 0 cannot write for others is not theirs to try again.
  const auto whose = outcome.status ? Failure::kOfTheFile : Failure::kMayBeOfTheRank;
  settle(index, outcome.rank, report_of(index, outcome), whose);
  const std::lock_guard lock(mutex_);
  --under_way_;
  ended_.notify_all();
}

// An interrupted file is none of the outcomes: the whole run is interrupted.
void FileQueue::settle(size_t index, int rank, Result<FileEncodeReport> report, Failure whose) {
  if (!report && report.error().code == ErrorCode::kInterrupted) {
    return;
  }
  if (!report && report.error().code == ErrorCode::kIo && whose == Failure::kMayBeOfTheRank &&
      give_back(index, rank)) {
    return;
  }
  std::vector<int> tried;
  {
    const std::lock_guard lock(mutex_);
    judge_ranks(index, report.ok());
    if (const auto found = tried_.find(index); found != tried_.end()) {
      tried = found->second;
    }
  }
  if (!report && tried.size() > 1) {
    report = Error{report.error().code, report.error().message + name_ranks(tried)};
  }
  done_({index, rank, std::move(report)});
}

// Whether another rank will try. The rank is among those that have tried in any case.
bool FileQueue::give_back(size_t index, int rank) {
  const std::lock_guard lock(mutex_);
  std::vector<int>& tried = tried_[index];
  tried.push_back(rank);
  ++unsettled_[rank];
  if (tried.size() > kMostReturns || tried.size() == ranks_) {
    return false;
  }
  returned_.push_back(index);
  ended_.notify_all();
  return true;
}

// The mutex must be held. Whose fault it was that a file had been given back.
void FileQueue::judge_ranks(size_t index, bool made) {
  const auto found = tried_.find(index);
  if (found == tried_.end()) {
    return;
  }
  for (const int rank : found->second) {
    if (--unsettled_[rank] == 0) {
      unsettled_.erase(rank);
    }
    if (made) {
      cannot_.insert(rank);
    }
  }
}

Result<FileEncodeReport> FileQueue::report_of(size_t index, const UnitOutcome& outcome) const {
  if (!outcome.status) {
    return outcome.status.error();
  }
  TESSERA_ASSIGN_OR_RETURN(const MadeFile file,
                           parse_file_reply(outcome.reply, gather_, outcome.rank));
  if (gather_) {
    TESSERA_RETURN_IF_ERROR(write_file(files_[index].output, file.bytes, durability_));
  }
  return file.report;
}

bool FileQueue::wait() {
  // A cancel does not notify.
  constexpr auto kLook = std::chrono::milliseconds(50);
  std::unique_lock lock(mutex_);
  while (true) {
    const bool any_for_root =
        std::ranges::any_of(returned_, [&](size_t index) { return may_try(0, index); });
    if (is_cancelled() ? under_way_ == 0 : any_for_root) {
      return !is_cancelled();
    }
    if (under_way_ == 0 && returned_.empty()) {
      return false;
    }
    ended_.wait_for(lock, kLook);
  }
}

}  // namespace tessera::cluster
