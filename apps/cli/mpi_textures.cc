#include "mpi_textures.h"

#include "base/file.h"
#include "base/guarded.h"
#include "cluster/fractal_ranks.h"
#include "containers/texture_file.h"
#include "fractal/fractal_codec.h"
#include "session.h"

namespace tessera::cli {
namespace {

// What all files of a run have in common.
struct Textures {
  EncodeJob job;
  cluster::StripOptions strips;
  DescribeTexture describe;
  std::unique_ptr<BlockEncoder> encoder;  // of strips
  TextureInfo format;
  std::unique_ptr<cluster::DistributedCodec> distributed;  // rank 0, from the first shared file on
};

Json ranks_json(const std::vector<cluster::RankWork>& before,
                const std::vector<cluster::RankWork>& after) {
  Json ranks = Json::array();
  for (size_t rank = 0; rank < after.size(); ++rank) {
    const cluster::RankWork old = rank < before.size() ? before[rank] : cluster::RankWork();
    ranks.push_back({{"units", after[rank].units - old.units},
                     {"mpixels", static_cast<double>(after[rank].pixels - old.pixels) / 1e6},
                     {"busy_seconds", after[rank].busy_seconds - old.busy_seconds}});
  }
  return ranks;
}

Result<MadeFile> make_file(const Textures& textures, const Codec& codec, const FilePair& pair,
                           Backend& backend, const RunControl& control) {
  EncodeJob job = textures.job;
  job.codec = &codec;
  job.input = pair.input;
  job.output = pair.output;
  TESSERA_ASSIGN_OR_RETURN(EncodedFile encoded, encode_to_memory(job, backend, control));
  MadeFile file = textures.describe(job, encoded.report, backend);
  file.bytes = std::move(encoded.bytes);
  file.pixels = encoded.report.encoded_pixels;
  return file;
}

Result<MadeFile> make_shared_file(Textures& textures, const FilePair& pair,
                                  cluster::Coordinator& coordinator, Backend& backend,
                                  const RunControl& control) {
  if (!textures.distributed) {
    textures.distributed = std::make_unique<cluster::DistributedCodec>(
        *textures.job.codec, coordinator, textures.strips);
  }
  const auto work_before = textures.distributed->work();
  const auto costs_before = textures.distributed->costs();
  auto file = make_file(textures, *textures.distributed, pair, backend, control);
  if (file) {
    file->json["backend"] = "mpi";
    file->json["threads"] = coordinator.total_threads();
    const auto costs = textures.distributed->costs();
    file->json["ranks"] = ranks_json(work_before, textures.distributed->work());
    file->json["messages"] = costs.messages - costs_before.messages;
    file->json["control_seconds"] = costs.control_seconds - costs_before.control_seconds;
  }
  return file;
}

// A whole image by all ranks in step: rank 0 reads it, all encode it together.
Result<MadeFile> make_in_step(const Textures& textures, const FilePair& pair,
                              cluster::RankGroup& session, const std::vector<cluster::Greeting>& greetings,
                              Backend& backend, const RunControl& control) {
  cluster::FractalRanks ranks(session, greetings, backend, [](const Error& error) { report_error(error); });
  EncodeJob job = textures.job;
  job.input = pair.input;
  job.output = pair.output;
  job.metrics = textures.job.metrics && session.is_root();
  TESSERA_ASSIGN_OR_RETURN(const auto encoder, make_shared_fractal_encoder(job.settings, ranks));
  Result<PreparedImage> read = failed_error("rank 0 reads the image");
  if (session.is_root()) {
    read = guarded([&]() -> Result<PreparedImage> {
      TESSERA_RETURN_IF_ERROR(check_writable(job.output));
      return read_prepared(job, *encoder);
    });
  }
  TESSERA_ASSIGN_OR_RETURN(const PreparedImage prepared, cluster::share_source(std::move(read), session));
  auto encoded = encode_prepared(prepared, job, *encoder, backend, control);
  if (!encoded) {
    const Error& error = encoded.error();
    return Error{error.code, input_display_name(job.input) + ": " + error.message};
  }
  MadeFile file = textures.describe(job, encoded->report, backend);
  file.bytes = std::move(encoded->bytes);
  file.pixels = encoded->report.encoded_pixels;
  file.json["backend"] = "mpi";
  file.json["threads"] = cluster::total_threads(greetings);
  return file;
}

// Blocks: large files are shared as strips of block rows.
Status add_strips(const std::shared_ptr<Textures>& textures, MpiFormat& format) {
  const EncodeJob& job = textures->job;
  TESSERA_ASSIGN_OR_RETURN(textures->encoder, make_block_encoder(*job.codec, job.settings));
  textures->format.format = job.codec->format();
  textures->format.block = job.codec->block_of(job.settings);
  format.make_shared = [textures](const FilePair& pair, cluster::Coordinator& coordinator,
                                  Backend& backend, const RunControl& control) {
    return make_shared_file(*textures, pair, coordinator, backend, control);
  };
  format.unit = [textures](const cluster::UnitHeader& header, ByteSpan input, Backend& backend,
                           const RunControl& control, Bytes& output) {
    return cluster::encode_strip(header, input, *textures->encoder, textures->format, backend,
                                 control, output);
  };
  format.warm_up = [textures](Backend& backend, const RunControl& control) {
    cluster::warm_up(*textures->encoder, backend, control);
  };
  format.shared_work = [textures] {
    return textures->distributed ? textures->distributed->work() : std::vector<cluster::RankWork>();
  };
  return {};
}

}  // namespace

Result<MpiFormat> mpi_texture_format(const EncodeJob& job, const cluster::StripOptions& strips,
                                     const DescribeTexture& describe) {
  auto textures = std::make_shared<Textures>();
  textures->job = job;
  textures->strips = strips;
  textures->describe = describe;
  MpiFormat format;
  format.extension = container_type_name(job.container);
  format.make = [textures](const FilePair& pair, Backend& backend, const RunControl& control) {
    return make_file(*textures, *textures->job.codec, pair, backend, control);
  };
  if (job.codec->row().payload == PayloadKind::kBlocks) {
    TESSERA_RETURN_IF_ERROR(add_strips(textures, format));
  } else {
    format.make_in_step = [textures](const FilePair& pair, cluster::RankGroup& session,
                                     const std::vector<cluster::Greeting>& greetings, Backend& backend,
                                     const RunControl& control) {
      return make_in_step(*textures, pair, session, greetings, backend, control);
    };
  }
  return format;
}

}  // namespace tessera::cli
