// A list of files on all ranks. Small files are made by one rank each; files that would keep one
// rank busy at the end are shared by all. For rank 0 that is one more executor of files
// (files/file_runner.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cluster/file_maker.h"
#include "cluster/rank_group.h"
#include "cluster/worker_threads.h"
#include "exec/backend.h"
#include "files/file_plan.h"
#include "files/file_report.h"
#include "files/file_runner.h"
#include "files/pipeline.h"

namespace tessera::cluster {

struct RankOptions {
  uint32_t unit_rows = 0;              // block rows per strip; 0: chosen by the ranks' threads
  std::optional<uint64_t> split_over;  // bytes; larger files are shared by all ranks
  bool gather = false;                 // rank 0 writes all files
};

// What every rank is started with; it must be the same on all of them.
struct RankJob {
  RankOptions options;
  // The options that the user gave, and the version: ranks with other words are refused.
  std::vector<std::string> words;

  // Its error is the error of all ranks.
  std::function<Result<EncodeList>()> make_list;
  // Rank 0 makes folders, and finds out what may keep it from writing. Its error, too.
  std::function<Status(const EncodeList& list)> prepare_outputs;
  // What a rank computes with: `number` is its number on its machine; `threads`, if it is given,
  // the number of threads.
  std::function<Result<std::shared_ptr<Backend>>(unsigned number, std::optional<unsigned> threads)>
      make_backend;
  // Where there are many files, every thread of a rank may make one of its own.
  bool can_use_backend_per_thread = true;

  const std::atomic<bool>* cancelled = nullptr;
  Limits limits = {};  // of the inputs
  WriteDurability durability = WriteDurability::kUsual;
  // Calls `work` with a control that shows the progress of a shared file. May be empty.
  std::function<void(const FilePair& file, const std::function<void(const RunControl&)>& work)>
      with_progress;
  // Prints the sentence of an error. Called on every rank.
  std::function<void(const Error&)> report;
};

// Rank 0's way through the files: calls run_files() with this executor once, tells the user, and
// returns the exit code.
using RootRun =
    std::function<int(const EncodeList& list, FileExecutor<FileEncodeReport>& executor)>;

// What the other ranks do with a unit: a whole file of the list, or a strip of an image. All
// arguments must outlive it.
UnitHandler rank_unit_handler(const RankJob& job, const std::vector<FilePair>& files,
                              const FileMaker& maker);

// Called by all ranks. The exit code, on every rank the same; errors have been reported. Does not
// return after an error that ends all ranks.
int encode_on_ranks(RankGroup& group, const RankJob& job, const RootRun& root);

}  // namespace tessera::cluster
