// Files as units of work, largest first, and the outcomes of all files in the order of the inputs.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "cluster/coordinator.h"
#include "mpi_batch.h"
#include "output_plan.h"

namespace tessera::cli {

inline constexpr uint32_t kFileKind = 2;

// What a rank says of a file that it made. With `gathered` the file itself follows.
Bytes write_file_reply(const MadeFile& file, bool gathered);
// Nothing of it is trusted; `rank` is for messages.
Result<MadeFile> parse_file_reply(ByteSpan bytes, int rank);

// Prints what became of each file as soon as that of all before it is known.
class FileOutcomes {
 public:
  FileOutcomes(const BatchOptions& options, const std::vector<FilePair>& pairs, int ranks);

  void add(size_t index, int rank, Result<MadeFile> outcome);
  // JSON if that is asked for, and a summary of the ranks when there are several files.
  void print_end(double seconds, const std::vector<cluster::RankWork>& shared) const;
  int exit_code() const;

 private:
  struct RankTotal {
    uint64_t files = 0;
    uint64_t failures = 0;
    uint64_t pixels = 0;
  };
  void print(size_t index);

  const BatchOptions& options_;
  const std::vector<FilePair>& pairs_;
  std::mutex mutex_;
  std::vector<std::optional<Result<MadeFile>>> outcomes_;
  size_t printed_ = 0;
  std::vector<RankTotal> ranks_;
};

class FileQueue : public cluster::UnitSource {
 public:
  // Files by their places in the list, in the order in which they are to be made.
  FileQueue(std::vector<size_t> files, const std::vector<FilePair>& pairs, bool gather,
            FileOutcomes& outcomes);

  std::optional<size_t> take_file();
  std::optional<cluster::Unit> take(int rank) override;
  // Until no other rank has a file.
  void wait();

 private:
  void receive(size_t index, cluster::UnitOutcome outcome);

  const std::vector<size_t> files_;
  const std::vector<FilePair>& pairs_;
  const bool gather_;
  FileOutcomes& outcomes_;
  std::mutex mutex_;
  std::condition_variable ended_;
  size_t next_ = 0;
  size_t under_way_ = 0;
};

// Which files are shared by all ranks, and which are made by one; largest first. Without a limit,
// those that are more than half of what a rank has to do: whole, they would end last.
struct FilePlan {
  std::vector<size_t> shared;
  std::vector<size_t> whole;
};
FilePlan plan_files(const std::vector<uint64_t>& sizes, size_t ranks,
                    std::optional<uint64_t> split_over);

}  // namespace tessera::cli
