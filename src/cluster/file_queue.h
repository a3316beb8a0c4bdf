// Whole files as units of work, largest first.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
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
class FileQueue : public UnitSource {
 public:
  using Done = FileExecutor<FileEncodeReport>::Done;

  // All arguments must outlive the object. No file is given out any more once `cancelled` is set.
  FileQueue(const std::vector<size_t>& order, const std::vector<FilePair>& files, bool gather,
            const std::atomic<bool>* cancelled, const Done& done);

  // Of files that rank 0 writes for others; to be called before any is given out.
  void set_durability(WriteDurability durability) { durability_ = durability; }

  std::optional<size_t> take_file();
  std::optional<Unit> take(int rank) override;
  // Until no other rank has a file.
  void wait();

 private:
  WriteDurability durability_ = WriteDurability::kUsual;
  void receive(size_t index, const UnitOutcome& outcome);
  Result<FileEncodeReport> report_of(size_t index, const UnitOutcome& outcome) const;

  const std::vector<size_t>& order_;
  const std::vector<FilePair>& files_;
  const bool gather_;
  const std::atomic<bool>* cancelled_;
  const Done& done_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable ended_;
  size_t next_ = 0;
  size_t under_way_ = 0;  // files that other ranks have
};

}  // namespace tessera::cluster
