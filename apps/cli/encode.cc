// tessera encode: picture files to compressed textures.
#include <cstdio>
#include <memory>
#include <optional>

#include "base/file.h"
#include "batch.h"
#include "codec/registry.h"
#include "codec_options.h"
#include "commands.h"
#include "files/pipeline.h"
#include "mpi_textures.h"
#include "report_json.h"
#include "session.h"
#include "spmd/isa.h"

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

double bits_per_pixel(const EncodeReport& report) {
  return 8.0 * static_cast<double>(report.file_bytes) /
         (static_cast<double>(report.width) * report.height);
}

double megapixels_per_second(const EncodeReport& report) {
  return static_cast<double>(report.encoded_pixels) / 1e6 / std::max(report.encode_seconds, 1e-9);
}

Json to_json(const EncodeJob& job, const EncodeReport& report, const Backend& backend) {
  const FormatRow& format = job.codec->row();
  Json object = {{"input", job.input},
                 {"output", job.output},
                 {"width", report.width},
                 {"height", report.height}};
  if (format.payload == PayloadKind::kBlocks) {
    object["levels"] = report.level_count;
    object["format"] = format.name;
    object["block"] = block_size_name(job.codec->block_of(job.settings));
    object["preset"] = preset_name(job.settings.preset);
    object["method"] = job.settings.method;
    object["profile"] = profile_name(job.settings.profile);
  } else {
    object["channels"] = report.channels;
    object["format"] = format.name;
  }
  object["backend"] = backend.name();
  object["isa"] = active_isa();
  object["threads"] = backend.thread_count();
  object["encode_seconds"] = report.encode_seconds;
  object["mpixels_per_second"] = megapixels_per_second(report);
  object["bytes"] = report.file_bytes;
  object["bpp"] = bits_per_pixel(report);
  object["alpha_dropped"] = report.alpha_dropped;
  if (report.metrics) {
    add_metrics(object, *report.metrics);
  }
  if (report.angular_error) {
    object["angular_error_degrees"] = {{"mean", report.angular_error->mean_degrees},
                                       {"max", report.angular_error->max_degrees}};
  }
  return object;
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string line_of(const EncodeJob& job, const EncodeReport& report) {
  std::string line = job.output == kStandardStream ? "standard output" : job.output;
  const FormatRow& format = job.codec->row();
  const std::string kind = format.payload == PayloadKind::kBlocks
                               ? block_size_name(job.codec->block_of(job.settings))
                               : (report.channels == 1 ? "grey" : "colour");
  line += formatted(": %ux%u, %s %s, %zu bytes (%.*f bits a pixel)", report.width, report.height,
                    std::string(format.name).c_str(), kind.c_str(), report.file_bytes,
                    format.payload == PayloadKind::kBlocks ? 2 : 3, bits_per_pixel(report));
  line += format.payload == PayloadKind::kBlocks
              ? formatted(", %.1f MP/s", megapixels_per_second(report))
              : formatted(", %.2f s", report.encode_seconds);
  if (report.metrics) {
    line += formatted(", PSNR %.2f dB (RGB), SSIM %.4f", report.metrics->psnr_rgb,
                      report.metrics->ssim);
  }
  if (report.angular_error) {
    line += formatted(", normals off by %.2f degrees (mean)", report.angular_error->mean_degrees);
  }
  return line;
}

std::string note_of(const EncodeJob& job, const EncodeReport& report) {
  return report.alpha_dropped
             ? "note: " + input_display_name(job.input) + " has transparent pixels, and " +
                   std::string(texture_format_name(job.codec->format())) + " dropped its alpha"
             : "";
}

void print_text(const EncodeJob& job, const EncodeReport& report) {
  // Standard output may carry the texture.
  FILE* out = job.output == kStandardStream ? stderr : stdout;
  std::fprintf(out, "%s\n", line_of(job, report).c_str());
  if (const std::string note = note_of(job, report); !note.empty()) {
    std::fprintf(stderr, "%s\n", note.c_str());
  }
}

// The job that the options ask for; fails on all that can be known without files.
Result<EncodeJob> make_checked_job(const EncodeOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(EncodeJob job, make_job(options));
  TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
  return job;
}

int run_on_ranks(const EncodeOptions& options) {
  return run_mpi_batch(options.batch, options.mpi, [&]() -> Result<MpiFormat> {
    TESSERA_ASSIGN_OR_RETURN(const EncodeJob job, make_checked_job(options));
    const cluster::StripOptions strips = {options.mpi.unit_rows.value_or(0)};
    return mpi_texture_format(
        job, strips,
        [](const EncodeJob& made, const EncodeReport& report, const Backend& backend) -> MadeFile {
          return {{}, to_json(made, report, backend), line_of(made, report), note_of(made, report)};
        });
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
  auto job = make_checked_job(options);
  if (!job) {
    return report_error(job.error());
  }
  return run_batch(
      options.batch, container_type_name(job->container),
      [&](const FilePair& pair, Backend& backend, const RunControl& control) -> Result<Json> {
        job->input = pair.input;
        job->output = pair.output;
        TESSERA_ASSIGN_OR_RETURN(const EncodeReport report, encode_file(*job, backend, control));
        if (!options.batch.json && !options.batch.quiet) {
          print_text(*job, report);
        }
        return to_json(*job, report, backend);
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
