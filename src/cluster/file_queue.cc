// Whole files as units of work, largest first.
#include "cluster/file_queue.h"

#include <algorithm>
#include <numeric>

#include "cluster/file_message.h"
#include "files/file.h"

namespace tessera::cluster {

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
                     bool gather, const std::atomic<bool>* cancelled, const Done& done)
    : order_(order), files_(files), gather_(gather), cancelled_(cancelled), done_(done) {}

std::optional<size_t> FileQueue::take_file() {
  const std::lock_guard lock(mutex_);
  if (next_ == order_.size() || (cancelled_ != nullptr && *cancelled_)) {
    return std::nullopt;
  }
  return order_[next_++];
}

std::optional<Unit> FileQueue::take(int /*rank*/) {
  const auto index = take_file();
  if (!index) {
    return std::nullopt;
  }
  {
    const std::lock_guard lock(mutex_);
    ++under_way_;
  }
  Unit unit;
  unit.kind = kFileKind;
  unit.fields[0] = *index;
  unit.done = [this, index = *index](const UnitOutcome& outcome) { receive(index, outcome); };
  return unit;
}

void FileQueue::receive(size_t index, const UnitOutcome& outcome) {
  auto report = report_of(index, outcome);
  // An interrupted file is none of the outcomes: the whole run is interrupted.
  if (report || report.error().code != ErrorCode::kInterrupted) {
    done_({index, outcome.rank, std::move(report)});
  }
  const std::lock_guard lock(mutex_);
  --under_way_;
  ended_.notify_all();
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

void FileQueue::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return under_way_ == 0; });
}

}  // namespace tessera::cluster
