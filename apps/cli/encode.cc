// tessera encode: picture files to compressed textures.
#include <memory>
#include <optional>

#include "base/file.h"
#include "batch.h"
#include "cluster/rank_files.h"
#include "codec/registry.h"
#include "codec_options.h"
#include "commands.h"
#include "encode_text.h"
#include "files/pipeline.h"
#include "mpi_options.h"
#include "rank_summary.h"
#include "session.h"
#include "spmd/isa.h"
#include "version.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  tessera encode photo.png -o photo.dds
  tessera encode photo.png -o photo.dds --preset realtime --metrics
  tessera encode photo.png -o photo.tsf --bpp 0.3 --metrics
  tessera encode a.png b.jpg -o textures/ --format bc1 --mips --json
  tessera encode photo.png -o photo.ktx2 --format bc1 --mips --zstd
  tessera encode photo.png -o photo.astc --block 6x6 --preset thorough --metrics
  tessera encode normals.png -o normals.astc --block 5x5 --normal
  mpirun -n 8 tessera encode huge.png -o huge.astc --backend mpi
  cat photo.png | tessera encode - -o - --format bc1 > photo.dds)";

struct EncodeOptions {
  BatchOptions batch;
  std::string format;
  std::string block;
  std::string preset = "medium";
  std::string method;
  std::string profile = "ldr";
  std::string swizzle = "rgba";
  bool mips = false;
  bool linear = false;
  bool dx10 = false;
  bool zstd = false;
  bool metrics = false;
  std::optional<float> quality;
  std::string channel_weights;
  bool normal_map = false;
  OptionList codec_options;
  MpiOptions mpi;
};

// The format that a container usually holds, for who names only the output.
Result<std::string> format_of(const EncodeOptions& options,
                              const std::optional<ContainerType>& container) {
  if (!options.format.empty()) {
    return options.format;
  }
  if (const FormatRow* usual = container ? usual_format_of(*container) : nullptr) {
    return std::string(usual->name);
  }
  return usage_error("say the format with --format (" + all_format_names() + ")");
}

// Folders and standard output get the format's usual container.
Result<ContainerType> container_of(const EncodeOptions& options, const FormatRow& format,
                                   const std::optional<ContainerType>& named) {
  if (named) {
    return *named;
  }
  if (!is_unnamed_output(options.batch.inputs, options.batch.output)) {
    return usage_error("the name " + options.batch.output +
                       " has no extension that tells a container (" + all_container_names() + ")");
  }
  return format.default_container;
}

Result<CodecSettings> make_settings(const EncodeOptions& options) {
  CodecSettings settings;
  if (!options.block.empty()) {
    TESSERA_ASSIGN_OR_RETURN(settings.block, parse_block_size(options.block));
  }
  const auto preset = parse_preset(options.preset);
  if (!preset) {
    return usage_error("'" + options.preset +
                       "' is not a preset (realtime, fast, medium, thorough, exhaustive)");
  }
  const auto profile = parse_profile(options.profile);
  if (!profile) {
    return usage_error("'" + options.profile + "' is not a profile (ldr, srgb, hdr)");
  }
  settings.preset = *preset;
  settings.profile = *profile;
  settings.method = options.method;
  settings.quality = options.quality;
  settings.channel_weights = options.channel_weights;
  settings.normal_map = options.normal_map;
  settings.options = options.codec_options;
  return settings;
}

// All of a job but its files.
Result<EncodeJob> make_job(const EncodeOptions& options) {
  std::optional<ContainerType> named;
  if (!is_unnamed_output(options.batch.inputs, options.batch.output)) {
    named = container_type_of_name(options.batch.output);
  }
  EncodeJob job;
  TESSERA_ASSIGN_OR_RETURN(const std::string format, format_of(options, named));
  TESSERA_ASSIGN_OR_RETURN(job.codec, find_codec(format));
  if ((options.batch.backend.name == "opencl" || options.mpi.rank_backend == "opencl") &&
      !job.codec->has_kernels_for("opencl")) {
    return unsupported_error("the format " + format + " has no OpenCL kernels");
  }
  TESSERA_ASSIGN_OR_RETURN(job.container, container_of(options, job.codec->row(), named));
  TESSERA_ASSIGN_OR_RETURN(job.settings, make_settings(options));
  TESSERA_ASSIGN_OR_RETURN(job.swizzle, parse_swizzle(options.swizzle));
  job.mips = options.mips;
  job.linear = options.linear;
  job.metrics = options.metrics;
  if (options.dx10) {
    job.container_options.dds_header = DdsHeader::kDx10;
  }
  job.container_options.zstd = options.zstd;
  return job;
}

// The job that the options ask for; fails on all that can be known without files.
Result<EncodeJob> make_checked_job(const EncodeOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(EncodeJob job, make_job(options));
  TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
  return job;
}

// Prints what is to be said about a file unless JSON or nothing is asked for.
void print_unless_quiet(const EncodeOptions& options, const EncodePlan& plan, const FilePair& file,
                        const EncodeReport& report) {
  if (!options.batch.json && !options.batch.quiet) {
    print_encode_text(plan, file, report);
  }
}

// What a rank computes with.
Result<std::shared_ptr<Backend>> make_rank_backend(const EncodeOptions& options, unsigned number,
                                                   std::optional<unsigned> threads) {
  BackendChoice choice = options.batch.backend;
  choice.name = options.mpi.rank_backend.empty() ? "cpu" : options.mpi.rank_backend;
  if (choice.name == "mpi" || choice.name == "auto" || choice.name == "threads") {
    return usage_error("a rank computes with cpu or opencl, not with " + choice.name);
  }
  choice.gpu = number;
  choice.threads = threads.value_or(choice.threads);
  TESSERA_ASSIGN_OR_RETURN(std::shared_ptr<Backend> backend, make_backend(choice));
  return backend;
}

cluster::RankJob make_rank_job(const EncodeOptions& options) {
  cluster::RankJob job;
  job.inputs = options.batch.inputs;
  job.output = options.batch.output;
  job.options = {options.mpi.unit_rows.value_or(0), options.mpi.split_over, options.mpi.gather};
  job.words = command_line();
  job.words.push_back(version_number());
  job.make_job = [&options]() -> Result<EncodeJob> {
    TESSERA_RETURN_IF_ERROR(check_standard_output(options.batch));
    return make_checked_job(options);
  };
  job.make_backend = [&options](unsigned number, std::optional<unsigned> threads) {
    return make_rank_backend(options, number, threads);
  };
  job.can_use_backend_per_thread =
      options.mpi.rank_backend.empty() || options.mpi.rank_backend == "cpu";
  job.cancelled = &is_interrupted();
  job.with_progress = [&options](const FilePair& file,
                                 const std::function<void(const RunControl&)>& work) {
    Progress progress(file.input, options.batch.quiet);
    work(control_of(progress));
  };
  job.report = [](const Error& error) { report_error(error); };
  return job;
}

int run_on_ranks(const EncodeOptions& options) {
  const auto group = cluster::RankGroup::start_mpi(&is_interrupted());
  if (!group) {
    return report_error(group.error());
  }
  speak_as_rank((*group)->rank(), true);
  RankSummary summary(static_cast<size_t>((*group)->size()));
  return cluster::encode_on_ranks(
      **group, make_rank_job(options),
      [&](const std::vector<FilePair>& files, FileExecutor<FileEncodeReport>& executor) {
        const EncodeJob plan = *make_checked_job(options);  // the ranks have checked it
        const int exit_code = run_batch<FileEncodeReport>(
            options.batch, files, executor,
            [&](const FilePair& file, const FileOutcome<FileEncodeReport>& outcome) {
              print_unless_quiet(options, plan, file, outcome.report->encode);
              Json object = encode_json(plan, file, *outcome.report);
              add_ranks(object, outcome);
              return object;
            },
            [&](const FileOutcome<FileEncodeReport>& outcome) { summary.add(outcome); });
        summary.print(options.batch);
        return exit_code;
      });
}

int run_encode(const EncodeOptions& options) {
  const bool on_ranks = options.batch.backend.name == "mpi";
  if (const Status unused = on_ranks ? Status() : check_no_mpi_options(options.mpi); !unused) {
    return report_error(unused.error());
  }
  if (on_ranks) {
    return run_on_ranks(options);
  }
  const auto plan = make_checked_job(options);
  if (!plan) {
    return report_error(plan.error());
  }
  return run_local_batch<FileEncodeReport>(
      options.batch, container_type_name(plan->container),
      [&](const FilePair& file, Backend& backend,
          const RunControl& control) -> Result<FileEncodeReport> {
        EncodeJob job = *plan;
        job.input = file.input;
        job.output = file.output;
        FileEncodeReport report;
        TESSERA_ASSIGN_OR_RETURN(report.encode, encode_file(job, backend, control));
        report.backend = backend.name();
        report.threads = backend.thread_count();
        report.isa = active_isa();
        return report;
      },
      [&](const FilePair& file, const FileOutcome<FileEncodeReport>& outcome) {
        print_unless_quiet(options, *plan, file, outcome.report->encode);
        return encode_json(*plan, file, *outcome.report);
      });
}

}  // namespace

void add_encode_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<EncodeOptions>();
  CLI::App* command = app.add_subcommand("encode", "Compress pictures into textures");
  command->footer(kFooter);
  command
      ->add_option("IN", options->batch.inputs,
                   "Pictures (png, jpeg, ppm, pgm, tga, bmp); - for standard input")
      ->required();
  command
      ->add_option(
          "-o,--output", options->batch.output,
          "The file to write (.dds, .astc, .ktx2, .tsf), a folder, or - for standard output")
      ->required();
  command->add_option("--format", options->format,
                      "bc1, astc or fractal (default: what the output's extension holds)");
  command->add_option("--block", options->block, "Block size, such as 6x6 (bc1: 4x4)");
  command->add_option("--preset", options->preset, "realtime, fast, medium, thorough or exhaustive")
      ->capture_default_str();
  command->add_option(
      "--method", options->method,
      "How blocks are fitted; bc1: bounds, farthest, luma, range, starts, cluster, lspiro");
  command->add_option("--profile", options->profile, "ldr, srgb or hdr")->capture_default_str();
  command->add_option("--swizzle", options->swizzle, "Four of r g b a 0 1")->capture_default_str();
  command->add_flag("--mips", options->mips, "Write all mip levels");
  command->add_flag(
      "--linear", options->linear,
      "Samples are linear, not sRGB (normal maps, masks): mip levels average them as they are");
  command->add_flag("--dx10", options->dx10, "Write .dds files with the DX10 header");
  command->add_flag("--metrics", options->metrics, "Decode the result and measure its quality");
  command->add_flag("--zstd", options->zstd, "Compress .ktx2 files further, with zstd");
  command
      ->add_option("--quality", options->quality,
                   "0 to 100. astc: instead of a preset (0 realtime, 25 fast, 50 medium, 75 "
                   "thorough, 100 exhaustive); fractal: 1 (smallest) to 100, 50 if not given")
      ->check(CLI::Range(0.0F, 100.0F));
  command->add_option(
      "--channel-weights", options->channel_weights,
      "What errors of red, green, blue (astc: and alpha) count, such as 3,6,1; bc1: "
      "whole numbers of 0 to 16");
  command->add_flag("--normal", options->normal_map,
                    "A normal map: x is stored as luminance, y as alpha (z follows; astc)");
  add_encode_options(*command, {}, options->codec_options);
  add_batch_options(*command, options->batch);
  add_mpi_options(*command, options->mpi);
  command->callback([options, &exit_code] { exit_code = run_encode(*options); });
}

}  // namespace tessera::cli
