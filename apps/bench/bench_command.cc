// The benchmark's options, and what it runs: rate and quality, beside rivals in the same run.
#include <cstdio>
#include <memory>

#include "astc/astc_codec.h"
#include "backend_choice.h"
#include "bench_command.h"
#include "bench_fractal.h"
#include "bench_images.h"
#include "bench_table.h"
#include "codec/registry.h"
#include "codec_options.h"
#include "decode_contenders.h"
#include "exec/opencl/opencl_session.h"
#include "files/file.h"
#include "opencl_study.h"
#include "process.h"
#include "rivals.h"
#include "run_bench.h"
#include "spmd/isa.h"
#include "tessera_contender.h"
#include "tile_latency.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  tessera bench --images photos/ --format bc1 --threads 1 --csv bc1.csv
  tessera bench --format bc1 --method bounds --rivals stb_dxt
  tessera bench --images photos/ --format astc --block 6x6 --presets fast,medium --rivals astcenc
  tessera bench --images photos/ --format astc --block 4x4 --presets realtime --partitions off,moments
  tessera bench --images photos/ --format astc --block 4x4 --presets realtime --tiles
  tessera bench --images photos/ --format astc --block 4x4 --decode
  tessera bench --images photos/ --format fractal --roofline plots/
  tessera bench --opencl-study --device 0)";

struct CommandOptions {
  std::string images;
  std::string format = "bc1";
  std::string block;
  std::vector<std::string> presets = {"medium"};
  std::string method;
  std::vector<std::string> partitions;
  std::string endpoints;
  BackendChoice backend;
  bool opencl_study = false;
  std::vector<std::string> rivals = {"all"};
  std::string csv;
  bool decode = false;
  bool tiles = false;
  bench::BenchOptions bench;
  bool quiet = false;
  FractalBenchOptions fractal;
  OptionList codec_options;
};

Result<std::vector<Preset>> parse_presets(const std::vector<std::string>& names) {
  std::vector<Preset> presets;
  for (const std::string& name : names) {
    const auto preset = parse_preset(name);
    if (!preset) {
      return usage_error("'" + name +
                         "' is not a preset (realtime, fast, medium, thorough, exhaustive)");
    }
    presets.push_back(*preset);
  }
  return presets;
}

// A row for each preset and, where partition searches are compared, for each of those.
std::vector<CodecSettings> settings_of_rows(const CommandOptions& options,
                                            const bench::Subject& subject,
                                            const std::vector<Preset>& presets) {
  std::vector<CodecSettings> rows;
  const std::vector<std::string> preset_search = {""};
  for (const Preset preset : presets) {
    for (const std::string& search :
         options.partitions.empty() ? preset_search : options.partitions) {
      CodecSettings settings;
      settings.block = subject.block;
      settings.preset = preset;
      settings.method = options.method;
      settings.options = options.codec_options;
      if (!search.empty()) {
        settings.options.push_back({"partitions", search});
      }
      if (!options.endpoints.empty()) {
        settings.options.push_back({"endpoints", options.endpoints});
      }
      rows.push_back(settings);
    }
  }
  return rows;
}

// Our own rows; none, with a note, for presets that this build does not have.
Result<bench::Contenders> our_contenders(const CommandOptions& options, bench::Subject& subject,
                                         const std::vector<Preset>& presets, Backend& backend) {
  bench::Contenders contenders;
  const auto codec = find_codec(options.format);
  if (!codec) {
    return codec.error();
  }
  if (options.block.empty()) {
    subject.block = (*codec)->default_block();
  }
  for (const CodecSettings& settings : settings_of_rows(options, subject, presets)) {
    auto contender = bench::make_tessera_contender(**codec, settings, backend);
    if (!contender && contender.error().code == ErrorCode::kUnsupported && options.method.empty()) {
      if (!options.quiet) {
        std::fprintf(stderr, "note: %s; only rivals are measured\n",
                     contender.error().message.c_str());
      }
      continue;
    }
    if (!contender) {
      return contender.error();
    }
    contenders.push_back(std::move(*contender));
    if (!options.method.empty()) {
      break;  // the method decides, not the preset
    }
  }
  return contenders;
}

Result<bench::Contenders> decoders(const CommandOptions& options, bench::Subject& subject,
                                   Backend& backend) {
  TESSERA_ASSIGN_OR_RETURN(const Codec* codec, find_codec(options.format));
  if (options.block.empty()) {
    subject.block = codec->default_block();
  }
  return bench::make_decode_contenders(*codec, subject, backend);
}

// Latency of single tiles, for the first preset.
Status bench_tiles(const CommandOptions& options, Preset preset) {
  if (options.format != astc_codec().name()) {
    return unsupported_error("tiles are measured for astc only");
  }
  BlockSize block = {4, 4, 1};
  if (!options.block.empty()) {
    TESSERA_ASSIGN_OR_RETURN(block, parse_block_size(options.block));
  }
  TESSERA_ASSIGN_OR_RETURN(const std::vector<bench::BenchImage> images,
                           options.images.empty() ? bench::make_bench_images()
                                                  : bench::load_bench_images(options.images));
  TESSERA_ASSIGN_OR_RETURN(
      const bench::TileLatency latency,
      bench::measure_tiles(images, block, preset, std::max(options.backend.threads, 1u)));
  std::printf("%s\n", bench::to_text(latency).c_str());
  return {};
}

// The study goes on its own: its tables are about a device, not about images.
Status opencl_study(const CommandOptions& options) {
  const auto by_default = default_opencl_device();
  const unsigned device = options.backend.device.value_or(by_default ? *by_default : 0);
  TESSERA_ASSIGN_OR_RETURN(const std::string text, run_opencl_study(device, *make_cpu_backend(0)));
  std::fputs(text.c_str(), stdout);
  return {};
}

// Ours, and the rivals beside them.
Result<bench::Contenders> all_contenders(const CommandOptions& options, bench::Subject& subject,
                                         const std::vector<Preset>& presets, Backend& backend) {
  TESSERA_ASSIGN_OR_RETURN(bench::Contenders contenders,
                           options.decode ? decoders(options, subject, backend)
                                          : our_contenders(options, subject, presets, backend));
  if (!options.decode && options.rivals != std::vector<std::string>{"none"}) {
    TESSERA_ASSIGN_OR_RETURN(bench::Contenders rivals,
                             bench::make_rivals(options.rivals, subject, presets));
    for (auto& rival : rivals) {
      contenders.push_back(std::move(rival));
    }
  }
  if (contenders.empty()) {
    return unsupported_error(
        "there is nothing to measure: neither this build nor a rival encodes " + options.format);
  }
  return contenders;
}

Status bench_command(const CommandOptions& options) {
  if (options.opencl_study) {
    return opencl_study(options);
  }
  TESSERA_ASSIGN_OR_RETURN(const Codec* codec, find_codec(options.format));
  if (codec->row().payload == PayloadKind::kWholeImage) {
    return bench_fractal(options.fractal);
  }
  if (!options.fractal.plots.empty() || options.fractal.color) {
    return usage_error("--roofline and --color are for --format fractal");
  }
  TESSERA_ASSIGN_OR_RETURN(const std::vector<Preset> presets, parse_presets(options.presets));
  if (options.tiles) {
    return bench_tiles(options, presets.front());
  }
  bench::Subject subject;
  subject.format = options.format;
  if (!options.block.empty()) {
    TESSERA_ASSIGN_OR_RETURN(subject.block, parse_block_size(options.block));
  }
  if (!options.csv.empty()) {
    TESSERA_RETURN_IF_ERROR(check_writable(options.csv));
  }
  if (options.backend.threads == 1) {
    bench::pin_to_one_core();
  }
  TESSERA_ASSIGN_OR_RETURN(const auto backend, make_backend(options.backend));
  TESSERA_ASSIGN_OR_RETURN(const bench::Contenders contenders,
                           all_contenders(options, subject, presets, *backend));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<bench::BenchImage> images,
                           options.images.empty() ? bench::make_bench_images()
                                                  : bench::load_bench_images(options.images));
  Progress progress("bench", options.quiet);
  TESSERA_ASSIGN_OR_RETURN(const std::vector<bench::BenchRow> rows,
                           bench::run_bench(contenders, images, options.bench,
                                            {progress.callback(), &is_interrupted()}));
  if (!options.csv.empty()) {
    const std::string csv = bench::to_csv(rows, subject);
    TESSERA_RETURN_IF_ERROR(
        write_file(options.csv, {reinterpret_cast<const uint8_t*>(csv.data()), csv.size()}));
  }
  if (!options.quiet && options.csv != kStandardStream) {
    std::printf("%s %s, %zu images, %u thread%s, %s\n%s", options.format.c_str(),
                block_size_name(subject.block).c_str(), images.size(), backend->thread_count(),
                backend->thread_count() == 1 ? "" : "s", active_isa().c_str(),
                bench::to_text(bench::mean_rows(rows)).c_str());
  }
  return {};
}

}  // namespace

void add_bench_options(CLI::App& app, Status& outcome) {
  auto options = std::make_shared<CommandOptions>();
  CLI::App* command = &app;
  command->footer(kFooter);
  command->add_option("--images", options->images,
                      "A folder of pictures (default: pictures made by code)");
  command->add_option("--format", options->format, "bc1, astc or fractal")->capture_default_str();
  command->add_option("--block", options->block, "Block size, such as 6x6");
  command->add_option("--presets", options->presets, "Presets, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--method", options->method, "Measure this method instead of presets");
  command
      ->add_option("--partitions", options->partitions,
                   "astc: a row for each of these: off, moments, kmeans, kmeans++, table")
      ->delimiter(',');
  command->add_option("--endpoints", options->endpoints,
                      "astc: pca, bounds, minmax or accumulate (default: pca)");
  command->add_flag("--tiles", options->tiles,
                    "astc: the time that tiles of 256x256 take, one by one");
  options->backend.threads = 1;
  command
      ->add_option("--threads", options->backend.threads,
                   "Threads of our own encoders; 0: all cores")
      ->check(CLI::Range(0u, kMaxThreads))
      ->capture_default_str();
  command
      ->add_option("--rivals", options->rivals,
                   "all, none, or some of stb_dxt, squish, astcenc, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--repeats", options->bench.repeats, "Encodes per image; the median counts")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  command->add_flag("--streaming", options->bench.streaming,
                    "Go over all images in every pass, instead of repeating one in the cache");
  add_backend_options(*command, options->backend);
  command->add_flag("--opencl-study", options->opencl_study,
                    "Measure ways to sort, group and lay out blocks on an OpenCL device");
  command->add_flag("--decode", options->decode, "Measure decoding instead of encoding");
  command->add_option("--csv", options->csv,
                      "Write one row per codec, setting and image; - for standard output");
  command->add_flag("--quiet", options->quiet, "Print nothing but errors");
  add_fractal_bench_options(*command, options->fractal);
  add_encode_options(*command, PayloadKind::kBlocks, options->codec_options);
  command->callback([options, &outcome] {
    options->fractal.images = options->images;
    options->fractal.csv = options->csv;
    options->fractal.threads = options->backend.threads;
    options->fractal.quiet = options->quiet;
    outcome = bench_command(*options);
  });
}

}  // namespace tessera::cli
