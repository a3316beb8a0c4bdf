// Making one file of a run, in each of the ways that ranks have: by one rank, by all ranks strip by
// strip, or by all ranks in step. All ranks have the same maker.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cluster/coordinator.h"
#include "cluster/distributed_codec.h"
#include "cluster/file_message.h"
#include "cluster/rank_group.h"
#include "files/file_plan.h"
#include "files/pipeline.h"

namespace tessera::cluster {

class FileMaker {
 public:
  // `job` is all but the names of files. Fails on whatever can be known without files.
  static Result<std::unique_ptr<FileMaker>> create(const EncodeJob& job,
                                                   const StripOptions& strips);

  // The extension of the files that it makes, such as ".dds".
  std::string extension() const;

  // By one rank. May be called by several threads at once.
  Result<MadeFile> make(const FilePair& file, Backend& backend, const RunControl& control) const;

  // Formats of blocks are shared strip by strip; formats that encode an image as a whole are made
  // in step.
  bool is_made_in_step() const { return encoder_ == nullptr; }

  // By rank 0, while the other ranks compute units.
  Result<MadeFile> make_by_strips(const FilePair& file, Coordinator& coordinator, Backend& backend,
                                  const RunControl& control);
  // For the other ranks meanwhile.
  Status compute_strip(const UnitHeader& header, ByteSpan input, Backend& backend,
                       const RunControl& control, Bytes& output) const;
  void warm_up(Backend& backend, const RunControl& control) const;

  // By all ranks together; rank 0's result counts. `report` prints the sentence of an error that
  // ends everything.
  Result<MadeFile> make_in_step(const FilePair& file, RankGroup& group,
                                const std::vector<Greeting>& greetings, Backend& backend,
                                const RunControl& control,
                                const std::function<void(const Error&)>& report) const;

 private:
  FileMaker(const EncodeJob& job, const StripOptions& strips) : job_(job), strips_(strips) {}
  EncodeJob job_for(const FilePair& file) const;

  EncodeJob job_;
  StripOptions strips_;
  std::unique_ptr<BlockEncoder> encoder_;  // of strips; null for formats without blocks
  TextureInfo format_;
  std::unique_ptr<DistributedCodec> distributed_;  // rank 0, from the first shared file on
};

}  // namespace tessera::cluster
