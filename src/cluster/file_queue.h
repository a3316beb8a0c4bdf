// Whole files as units of work, largest first.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cluster/coordinator.h"
#include "files/file.h"
#include "files/file_plan.h"
#include "files/file_report.h"
#include "files/file_runner.h"

namespace tessera::cluster {

// Which files are shared by all ranks, and which are made by one rank each; largest first. The
// numbers are places in the list.
struct FileSplit {
  std::vector<size_t> shared;
  std::vector<size_t> whole;
};

// `sizes` in bytes. Files of more than `split_over` bytes are shared. Without that limit, files are
// shared that are more than half of one rank's part of all bytes: made by one rank, such a file
// could be the last to end by far. A single file is always shared.
FileSplit split_files(const std::vector<uint64_t>& sizes, size_t ranks,
                      std::optional<uint64_t> split_over);

// The files that are made by one rank each. Rank 0 takes them with take_file(), other ranks get
// them as units; rank 0 writes what those send if `gather` is set.
//
// A rank that cannot read a file or write its output (kIo: a folder that its machine does not see)
// gives the file back, and another rank tries. A file that has been given back two times
// fails at the next rank, and its sentence names the ranks; rank 0, which has found the files, is
// always among those that try. A rank other than 0 gets no new files while one that it gave back is
// not settled, and none at all once another rank could make that one: it must not run through the
// list without result.
class FileQueue : public UnitSource {
 public:
  using Done = FileExecutor<FileEncodeReport>::Done;

  // All references must outlive the object. No file is given out any more once `cancelled` is set.
  FileQueue(const std::vector<size_t>& order, const std::vector<FilePair>& files, size_t ranks,
            bool gather, const std::atomic<bool>* cancelled, const Done& done);

  // Of files that rank 0 writes for others; to be called before any is given out.
  void set_durability(WriteDurability durability) { durability_ = durability; }

  // For rank 0, which calls finish() for each of them.
  std::optional<size_t> take_file();
  void finish(size_t index, Result<FileEncodeReport> report) {
    settle(index, 0, std::move(report), Failure::kMayBeOfTheRank);
  }
  std::optional<Unit> take(int rank) override;
  // Returns true when there are files for rank 0 again, false when all files are settled.
  bool wait();

 private:
  static constexpr size_t kMostReturns = 2;  // of one file

  std::optional<size_t> next_for(int rank);
  bool may_try(int rank, size_t index) const;
  bool is_cancelled() const { return cancelled_ != nullptr && *cancelled_; }
  void receive(size_t index, const UnitOutcome& outcome);
  Result<FileEncodeReport> report_of(size_t index, const UnitOutcome& outcome) const;
  enum class Failure : uint8_t { kMayBeOfTheRank, kOfTheFile };
  void settle(size_t index, int rank, Result<FileEncodeReport> report, Failure whose);
  bool give_back(size_t index, int rank);
  void judge_ranks(size_t index, bool made);

  const std::vector<size_t>& order_;
  const std::vector<FilePair>& files_;
  const size_t ranks_;
  const bool gather_;
  const std::atomic<bool>* cancelled_;
  const Done& done_;
  WriteDurability durability_ = WriteDurability::kUsual;
  std::mutex mutex_;  // guards the members below
  std::condition_variable ended_;
  size_t next_ = 0;
  size_t under_way_ = 0;                      // files that other ranks have
  std::vector<size_t> returned_;              // files that wait for another rank
  std::map<size_t, std::vector<int>> tried_;  // by file: ranks that gave it back
  std::map<int, size_t> unsettled_;           // by rank: files that it gave back
  std::set<int> cannot_;                      // ranks that failed where another did not
};

}  // namespace tessera::cluster
