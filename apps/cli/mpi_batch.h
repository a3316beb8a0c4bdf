// encode with --backend mpi: a list of files on all ranks. Small files are units of work, each
// encoded by one rank; those that would keep one rank busy at the end are shared by all.
#pragma once

#include <functional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "batch.h"
#include "cluster/coordinator.h"
#include "cluster/distributed_codec.h"
#include "cluster/strip_unit.h"
#include "cluster/worker.h"
#include "mpi_options.h"
#include "output_plan.h"
#include "report_json.h"

namespace tessera::cli {

// A file that has been encoded, and what is to be said about it.
// NOLINTNEXTLINE(bugprone-exception-escape): moving a Json does not throw
struct MadeFile {
  Bytes bytes;
  Json json;         // NOLINT(bugprone-exception-escape): moving it does not throw
  std::string line;  // for people, without a line break
  std::string note;  // for standard error, or empty
  uint64_t pixels = 0;
};

// What a format does with files. All ranks have the same.
struct MpiFormat {
  std::string extension;  // ".dds"
  // By one rank. Called by several threads at once.
  std::function<Result<MadeFile>(const FilePair&, Backend&, const RunControl&)> make;

  // By rank 0, with the others computing units of their own.
  std::function<Result<MadeFile>(const FilePair&, cluster::Coordinator&, Backend&,
                                 const RunControl&)>
      make_shared;
  cluster::UnitHandler unit;
  cluster::WorkerStart warm_up;
  // What the ranks have done for make_shared, by rank.
  std::function<std::vector<cluster::RankWork>()> shared_work;

  // Instead of those: by all ranks in step, before the small files. What it makes counts on rank 0.
  std::function<Result<MadeFile>(const FilePair&, cluster::RankGroup&,
                                 const std::vector<cluster::Greeting>&, Backend&,
                                 const RunControl&)>
      make_in_step;
};

// Starts MPI, lets all ranks set up (`make_format`, which fails on what can be known without
// files), and runs. Returns the exit code, on every rank the same.
int run_mpi_batch(const BatchOptions& options, const MpiOptions& mpi_options,
                  const std::function<Result<MpiFormat>()>& make_format);

}  // namespace tessera::cli
