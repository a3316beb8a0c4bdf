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
  // `jobs` are all but the names of files; a file says which one it is made with. Fails on whatever
  // can be known without files.
  static Result<std::unique_ptr<FileMaker>> create(std::vector<EncodeJob> jobs,
                                                   const StripOptions& strips);

  // By one rank. May be called by several threads at once.
  Result<MadeFile> make(const FilePair& file, Backend& backend, const RunControl& control) const;

  // Formats of blocks are shared strip by strip; formats that encode an image as a whole are made
  // in step.
  bool is_made_in_step() const { return encoder_ == nullptr; }

  // Strips are encoded as the first job says, so files of other jobs are made by one rank each; and
  // so are those whose settings follow from the picture.
  bool can_be_shared(const FilePair& file) const {
    return file.job == 0 && !jobs_.front().goals.any();
  }

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
  FileMaker(std::vector<EncodeJob> jobs, const StripOptions& strips)
      : jobs_(std::move(jobs)), strips_(strips) {}
  EncodeJob job_for(const FilePair& file) const;

  std::vector<EncodeJob> jobs_;
  StripOptions strips_;
  std::unique_ptr<BlockEncoder> encoder_;  // of strips; null where the first job's format has none
  // Of strips of sRGB textures, where that depends on the picture; else null.
  std::unique_ptr<BlockEncoder> srgb_encoder_;
  TextureInfo format_;
  std::unique_ptr<DistributedCodec> distributed_;  // rank 0, from the first shared file on
};

}  // namespace tessera::cluster
