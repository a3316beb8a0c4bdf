#include "fractal_command.h"

#include <cmath>
#include <cstdio>

#include "base/file.h"
#include "base/guarded.h"
#include "codec/fractal_codec.h"
#include "cluster/fractal_ranks.h"
#include "mpi_batch.h"
#include "output_plan.h"
#include "session.h"
#include "spmd/isa.h"

namespace tessera::cli {
namespace {

constexpr const char* kExtension = ".tsf";

Result<fractal::SearchKernel> parse_kernel(const std::string& name) {
  if (name == "baseline") {
    return fractal::SearchKernel::kBaseline;
  }
  if (name == "scalar") {
    return fractal::SearchKernel::kScalar;
  }
  if (name == "simd") {
    return fractal::SearchKernel::kSimd;
  }
  return usage_error("'" + name + "' is no search (baseline, scalar, simd)");
}

Result<fractal::EncodeSettings> make_settings(const FractalEncodeOptions& options) {
  fractal::EncodeSettings settings;
  if (options.search.empty()) {
    if (options.epsilon || options.depth || options.half_turns) {
      return usage_error("--epsilon, --depth and --half-turns need --search");
    }
    if (options.quality && options.bits_per_pixel) {
      return usage_error("either --quality or --bpp, not both");
    }
    if (options.pure && options.dct_only) {
      return usage_error("either --pure or --dct-only, not both");
    }
    if (options.quality && !(*options.quality >= 1)) {
      return usage_error("the quality of fractal images is 1 to 100");
    }
    settings.quality = options.quality ? static_cast<uint32_t>(std::lround(*options.quality))
                                       : fractal::kDefaultQuality;
    settings.bits_per_pixel = options.bits_per_pixel;
    settings.choice = options.pure       ? fractal::LeafChoice::kPure
                      : options.dct_only ? fractal::LeafChoice::kDctOnly
                                         : fractal::LeafChoice::kHybrid;
    return settings;
  }
  if (options.quality || options.bits_per_pixel || options.pure || options.dct_only) {
    return usage_error("--quality, --bpp, --pure and --dct-only do not go with --search");
  }
  fractal::PaperSettings paper;
  TESSERA_ASSIGN_OR_RETURN(paper.kernel, parse_kernel(options.search));
  paper.epsilon = options.epsilon.value_or(paper.epsilon);
  paper.depth = options.depth.value_or(paper.depth);
  paper.rotations =
      options.half_turns ? fractal::RotationSet::kHalfTurns : fractal::RotationSet::kAll;
  settings.paper = paper;
  return settings;
}

Json to_json(const FractalEncodeJob& job, const FractalEncodeReport& report,
             const Backend& backend) {
  const double pixels = static_cast<double>(report.width) * report.height;
  Json object = {{"input", job.input},
                 {"output", job.output},
                 {"width", report.width},
                 {"height", report.height},
                 {"channels", report.channels},
                 {"format", "fractal"},
                 {"backend", backend.name()},
                 {"isa", active_isa()},
                 {"threads", backend.thread_count()},
                 {"encode_seconds", report.encode_seconds},
                 {"mpixels_per_second", pixels / 1e6 / std::max(report.encode_seconds, 1e-9)},
                 {"bytes", report.file_bytes},
                 {"bpp", 8.0 * static_cast<double>(report.file_bytes) / pixels},
                 {"alpha_dropped", report.alpha_dropped}};
  if (report.metrics) {
    add_metrics(object, *report.metrics);
  }
  return object;
}

std::string line_of(const FractalEncodeJob& job, const FractalEncodeReport& report) {
  const double pixels = static_cast<double>(report.width) * report.height;
  char text[200];
  std::snprintf(text, sizeof text, ": %ux%u, fractal %s, %zu bytes (%.3f bits a pixel), %.2f s",
                report.width, report.height, report.channels == 1 ? "grey" : "colour",
                report.file_bytes, 8.0 * static_cast<double>(report.file_bytes) / pixels,
                report.encode_seconds);
  std::string line = (job.output == kStandardStream ? "standard output" : job.output) + text;
  if (report.metrics) {
    std::snprintf(text, sizeof text, ", PSNR %.2f dB (RGB), SSIM %.4f", report.metrics->psnr_rgb,
                  report.metrics->ssim);
    line += text;
  }
  return line;
}

std::string note_of(const FractalEncodeJob& job, const FractalEncodeReport& report) {
  return report.alpha_dropped ? "note: " + input_display_name(job.input) +
                                    " has transparent pixels, and fractal images have no alpha"
                              : "";
}

void print_text(const FractalEncodeJob& job, const FractalEncodeReport& report) {
  FILE* out = job.output == kStandardStream ? stderr : stdout;
  std::fprintf(out, "%s\n", line_of(job, report).c_str());
  if (const std::string note = note_of(job, report); !note.empty()) {
    std::fprintf(stderr, "%s\n", note.c_str());
  }
}

Result<fractal::EncodeSettings> make_checked_settings(const BatchOptions& batch,
                                                      const FractalEncodeOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const fractal::EncodeSettings settings, make_settings(options));
  if (!is_unnamed_output(batch.inputs, batch.output) && !batch.output.ends_with(kExtension)) {
    return usage_error("fractal images are written to .tsf files, not to " + batch.output);
  }
  return settings;
}

MadeFile describe(const FractalEncodeJob& job, EncodedFractal encoded, const Backend& backend) {
  const FractalEncodeReport& report = encoded.report;
  return {std::move(encoded.bytes), to_json(job, report, backend), line_of(job, report),
          note_of(job, report), uint64_t{report.width} * report.height};
}

MpiFormat mpi_fractal_format(const FractalEncodeJob& common) {
  MpiFormat format;
  format.extension = kExtension;
  format.make = [common](const FilePair& pair, Backend& backend,
                         const RunControl& control) -> Result<MadeFile> {
    FractalEncodeJob job = common;
    job.input = pair.input;
    job.output = pair.output;
    TESSERA_ASSIGN_OR_RETURN(const FractalSource source, load_fractal_source(job));
    TESSERA_ASSIGN_OR_RETURN(EncodedFractal encoded,
                             encode_fractal_to_memory(job, source, backend, control));
    return describe(job, std::move(encoded), backend);
  };
  format.make_in_step = [common](const FilePair& pair, cluster::RankGroup& session,
                                 const std::vector<cluster::Greeting>& greetings, Backend& backend,
                                 const RunControl& control) -> Result<MadeFile> {
    cluster::FractalRanks ranks(session, greetings, backend,
                       [](const Error& error) { report_error(error); });
    FractalEncodeJob job = common;
    job.input = pair.input;
    job.output = pair.output;
    job.settings.shared = &ranks;
    job.metrics = common.metrics && session.is_root();
    Result<FractalSource> loaded = failed_error("rank 0 reads the image");
    if (session.is_root()) {
      loaded = guarded([&]() -> Result<FractalSource> {
        TESSERA_RETURN_IF_ERROR(check_writable(job.output));
        return load_fractal_source(job);
      });
    }
    TESSERA_ASSIGN_OR_RETURN(const FractalSource source, cluster::share_source(std::move(loaded), session));
    TESSERA_ASSIGN_OR_RETURN(EncodedFractal encoded,
                             encode_fractal_to_memory(job, source, backend, control));
    MadeFile file = describe(job, std::move(encoded), backend);
    file.json["backend"] = "mpi";
    file.json["threads"] = cluster::total_threads(greetings);
    return file;
  };
  return format;
}

}  // namespace

void add_fractal_encode_options(CLI::App& command, FractalEncodeOptions& options) {
  command
      .add_option("--bpp", options.bits_per_pixel,
                  "Fractal: the best quality within so many bits a pixel")
      ->check(CLI::PositiveNumber);
  command.add_flag("--pure", options.pure, "Fractal: domains only, no DCT leaves");
  command.add_flag("--dct-only", options.dct_only, "Fractal: DCT leaves only, to compare with");
  command.add_flag("--grey", options.grey, "Fractal: encode colour pictures as grey");
  command.add_option("--search", options.search,
                     "Fractal: the paper's coder with this search: baseline, scalar or simd");
  command
      .add_option("--epsilon", options.epsilon,
                  "Paper's coder: blocks with a larger mean squared error are split; 300")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--depth", options.depth, "Paper's coder: depth of the quadtree; 7")
      ->check(CLI::Range(1u, 14u));
  command.add_flag("--half-turns", options.half_turns,
                   "Paper's coder: no domains turned by 90 or 270 degrees");
}

bool wants_fractal(const std::string& format, const BatchOptions& batch) {
  if (!format.empty()) {
    return format == "fractal";
  }
  return !is_unnamed_output(batch.inputs, batch.output) && batch.output.ends_with(kExtension);
}

Status check_no_fractal_options(const FractalEncodeOptions& options) {
  if (options.bits_per_pixel || options.pure || options.dct_only || options.grey ||
      !options.search.empty() || options.epsilon || options.depth || options.half_turns) {
    return usage_error(
        "--bpp, --pure, --dct-only, --grey, --search, --epsilon, --depth and --half-turns are for "
        "fractal images (.tsf)");
  }
  return {};
}

int run_fractal_encode(const BatchOptions& batch, const MpiOptions& mpi,
                       const FractalEncodeOptions& options, bool metrics) {
  if (batch.backend.name == "mpi") {
    return run_mpi_batch(batch, mpi, [&]() -> Result<MpiFormat> {
      TESSERA_ASSIGN_OR_RETURN(const auto settings, make_checked_settings(batch, options));
      return mpi_fractal_format({"", "", settings, options.grey, metrics});
    });
  }
  const auto settings = make_checked_settings(batch, options);
  if (!settings) {
    return report_error(settings.error());
  }
  return run_batch(
      batch, kExtension,
      [&](const FilePair& pair, Backend& backend, const RunControl& control) -> Result<Json> {
        const FractalEncodeJob job = {pair.input, pair.output, *settings, options.grey, metrics};
        TESSERA_ASSIGN_OR_RETURN(const FractalEncodeReport report,
                                 encode_fractal_file(job, backend, control));
        if (!batch.json && !batch.quiet) {
          print_text(job, report);
        }
        return to_json(job, report, backend);
      });
}

void add_fractal_decode_options(CLI::App& command, FractalDecodeOptions& options) {
  command
      .add_option("--iterations", options.iterations,
                  "Fractal: passes over the image (default: as the file says)")
      ->check(CLI::Range(0u, 64u));
  command.add_option("--scale", options.scale, "Fractal: 2 decodes at twice the size")
      ->check(CLI::Range(1u, 2u))
      ->capture_default_str();
  command.add_option("--steps", options.steps, "Fractal: a folder for the picture after each pass");
}

Status check_fractal_decode(const FractalDecodeOptions& options, const BatchOptions& batch) {
  if (!options.steps.empty() &&
      (batch.inputs.size() != 1 || batch.inputs.front() == kStandardStream)) {
    return usage_error("--steps needs one input that is a file");
  }
  return {};
}

Result<Json> describe_fractal(ByteSpan bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const fractal::TsfFile file, fractal::read_tsf(bytes, name));
  TESSERA_ASSIGN_OR_RETURN(const fractal::LeafStatistics statistics,
                           fractal::leaf_statistics(bytes, name));
  const fractal::TsfHeader& header = file.header;
  const bool paper = header.coder == fractal::CoderKind::kPaper;
  Json object = {{"kind", "fractal"},
                 {"type", "tsf"},
                 {"coder", paper ? "paper" : "tessera"},
                 {"width", header.width},
                 {"height", header.height},
                 {"channels", header.channels},
                 {"iterations", header.iterations},
                 {"tiles", file.tiles.size()}};
  if (paper) {
    object["depth"] = header.quality;
  } else {
    object["quality"] = header.quality;
    object["hybrid"] = header.hybrid;
    object["deblocking"] = header.deblocking;
  }
  constexpr const char* kKinds[] = {"flat", "fractal", "dct"};
  for (size_t kind = 0; kind < 3; ++kind) {
    Json sizes = Json::object();
    for (size_t log2 = 0; log2 < 16; ++log2) {
      if (statistics.count[kind][log2] > 0) {
        sizes[std::to_string(1u << log2)] = statistics.count[kind][log2];
      }
    }
    object["leaves"][kKinds[kind]] = std::move(sizes);
  }
  return object;
}

void print_fractal(const Json& object) {
  std::printf("%s: fractal image, %ux%u, %s, %s coder, %u passes, %zu tile%s, %zu bytes\n",
              object["file"].get<std::string>().c_str(), object["width"].get<uint32_t>(),
              object["height"].get<uint32_t>(), object["channels"] == 1 ? "grey" : "colour",
              object["coder"] == "paper" ? "the paper's" : "our",
              object["iterations"].get<uint32_t>(), object["tiles"].get<size_t>(),
              object["tiles"] == 1 ? "" : "s", object["bytes"].get<size_t>());
  for (const char* kind : {"flat", "fractal", "dct"}) {
    std::printf("  %s leaves:", kind);
    for (const auto& [side, count] : object["leaves"][kind].items()) {
      std::printf(" %lu of %sx%s", static_cast<unsigned long>(count.get<uint64_t>()), side.c_str(),
                  side.c_str());
    }
    std::printf("\n");
  }
}

}  // namespace tessera::cli
