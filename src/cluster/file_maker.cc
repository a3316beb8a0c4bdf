// Making one file of a run: by one rank, by all ranks strip by strip, or by all ranks in step.
#include "cluster/file_maker.h"

#include "base/guarded.h"
#include "cluster/loop_ranks.h"
#include "cluster/strip_unit.h"
#include "files/file.h"
#include "spmd/isa.h"

namespace tessera::cluster {
namespace {

void set_made_by_all(FileEncodeReport& report, unsigned threads) {
  report.backend = "mpi";
  report.threads = threads;
}

std::vector<RankWork> difference(std::vector<RankWork> after, const std::vector<RankWork>& before) {
  for (size_t rank = 0; rank < after.size(); ++rank) {
    after[rank].units -= before[rank].units;
    after[rank].pixels -= before[rank].pixels;
    after[rank].busy_seconds -= before[rank].busy_seconds;
  }
  return after;
}

}  // namespace

Result<std::unique_ptr<FileMaker>> FileMaker::create(std::vector<EncodeJob> jobs,
                                                     const StripOptions& strips) {
  std::unique_ptr<FileMaker> maker(new FileMaker(std::move(jobs), strips));
  const EncodeJob& job = maker->jobs_.front();
  if (job.codec->row().payload == PayloadKind::kBlocks) {
    TESSERA_ASSIGN_OR_RETURN(maker->encoder_, make_block_encoder(*job.codec, job.settings));
    maker->format_.format = job.codec->format();
    maker->format_.block = job.codec->block_of(job.settings);
    maker->format_.srgb = job.settings.profile == Profile::kSrgb;
    ImageInfo srgb_picture;
    srgb_picture.color_space = ColorSpace::kSrgb;
    const EncodePlan srgb = plan_for_picture(job, srgb_picture);
    if (srgb.settings.profile != job.settings.profile) {
      TESSERA_ASSIGN_OR_RETURN(maker->srgb_encoder_, make_block_encoder(*job.codec, srgb.settings));
    }
  }
  return maker;
}

EncodeJob FileMaker::job_for(const FilePair& file) const {
  EncodeJob job = jobs_[file.job];
  job.input = file.input;
  job.slices = file.slices;
  job.output = file.output;
  return job;
}

Result<MadeFile> FileMaker::make(const FilePair& file, Backend& backend,
                                 const RunControl& control) const {
  TESSERA_ASSIGN_OR_RETURN(MadeFile made, encode_to_memory(job_for(file), backend, control));
  made.report.isa = active_isa();
  return made;
}

Result<MadeFile> FileMaker::make_by_strips(const FilePair& file, Coordinator& coordinator,
                                           Backend& backend, const RunControl& control) {
  if (!distributed_) {
    distributed_ = std::make_unique<DistributedCodec>(*jobs_.front().codec, coordinator, strips_);
  }
  const auto work_before = distributed_->work();
  const auto costs_before = distributed_->costs();
  EncodeJob job = job_for(file);
  job.codec = distributed_.get();
  TESSERA_ASSIGN_OR_RETURN(MadeFile made, encode_to_memory(job, backend, control));
  made.report.isa = active_isa();
  set_made_by_all(made.report, coordinator.total_threads());
  const auto costs = distributed_->costs();
  made.report.ranks = difference(distributed_->work(), work_before);
  made.report.messages = costs.messages - costs_before.messages;
  made.report.control_seconds = costs.control_seconds - costs_before.control_seconds;
  return made;
}

Status FileMaker::compute_strip(const UnitHeader& header, ByteSpan input, Backend& backend,
                                const RunControl& control, Bytes& output) const {
  if (is_made_in_step()) {
    return invalid_error("a rank was sent a strip of a format that has no blocks");
  }
  const bool is_usual = is_srgb_strip(header) == format_.srgb;
  if (!is_usual && srgb_encoder_ == nullptr) {
    return invalid_error("a rank was sent a strip of a texture with another profile");
  }
  return encode_strip(header, input, is_usual ? *encoder_ : *srgb_encoder_, format_, backend,
                      control, output);
}

void FileMaker::warm_up(Backend& backend, const RunControl& control) const {
  if (!is_made_in_step()) {
    cluster::warm_up(*encoder_, backend, control);
  }
}

Result<MadeFile> FileMaker::make_in_step(const FilePair& file, RankGroup& group,
                                         const std::vector<Greeting>& greetings, Backend& backend,
                                         const RunControl& control,
                                         const std::function<void(const Error&)>& report) const {
  LoopRanks ranks(group, greetings, backend, report);
  EncodeJob job = job_for(file);
  job.metrics = job.metrics && group.is_root();
  TESSERA_ASSIGN_OR_RETURN(const auto encoder, job.codec->make_shared_encoder(job.settings, ranks));
  uint64_t source_hash = 0;  // rank 0's counts
  Result<PreparedImage> read = failed_error("rank 0 reads the image");
  if (group.is_root()) {
    read = guarded([&]() -> Result<PreparedImage> {
      TESSERA_RETURN_IF_ERROR(check_writable(job.output));
      return read_prepared(job, *encoder, control, source_hash);
    });
  }
  TESSERA_ASSIGN_OR_RETURN(const PreparedImage prepared, share_source(std::move(read), group));
  auto encoded = encode_prepared(prepared, job, *encoder, backend, control);
  if (!encoded) {
    const Error& error = encoded.error();
    return Error{error.code, input_display_name(job.input) + ": " + error.message};
  }
  MadeFile made = made_file(std::move(*encoded), backend, source_hash);
  made.report.isa = active_isa();
  set_made_by_all(made.report, total_threads(greetings));
  return made;
}

}  // namespace tessera::cluster
