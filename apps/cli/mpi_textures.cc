#include "mpi_textures.h"

#include "base/file.h"
#include "containers/texture_file.h"
#include "session.h"

namespace tessera::cli {
namespace {

// What all files of a run have in common.
struct Textures {
  EncodeJob job;
  cluster::StripOptions strips;
  DescribeTexture describe;
  std::unique_ptr<Encoder> encoder;  // of strips
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

}  // namespace

Result<MpiFormat> mpi_texture_format(const EncodeJob& job, const cluster::StripOptions& strips,
                                     const DescribeTexture& describe) {
  auto textures = std::make_shared<Textures>();
  textures->job = job;
  textures->strips = strips;
  textures->describe = describe;
  TESSERA_ASSIGN_OR_RETURN(textures->encoder, job.codec->make_encoder(job.settings));
  textures->format.format = job.codec->format();
  textures->format.block = job.settings.block;
  MpiFormat format;
  format.extension = container_type_name(job.container);
  format.make = [textures](const FilePair& pair, Backend& backend, const RunControl& control) {
    return make_file(*textures, *textures->job.codec, pair, backend, control);
  };
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
  return format;
}

}  // namespace tessera::cli
