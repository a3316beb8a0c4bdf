// tessera encode and transcode: pictures, or textures, to compressed textures and fractal images.
#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client.h"
#include "commands.h"
#include "encode_notes.h"
#include "file_list.h"
#include "format_options.h"
#include "rules.h"
#include "watch.h"

namespace tessera::cli {
namespace {

constexpr const char* kEncodeFooter = R"(Examples:
  tessera encode photo.png -o photo.dds
  tessera encode photo.png -o photo.dds --preset realtime --metrics
  tessera encode photo.png -o photo.tsf --bpp 0.3 --metrics
  tessera encode a.png b.jpg -o textures/ --format bc1 --mips --json
  tessera encode assets/ -o out/ --container ktx2 --block 6x6 --mips --zstd
  tessera encode assets/ -o out/ --format astc --include 'ui/**' --exclude '*_old.png' --dry-run
  tessera encode @textures.txt -o out/ --format bc1
  tessera encode photo.png -o photo.ktx2 --format bc1 --mips --zstd
  tessera encode photo.png -o photo.astc --block 6x6 --preset thorough --metrics
  tessera encode sky.exr -o sky.astc --profile hdr --block 6x6 --metrics
  tessera encode normals.png -o normals.astc --block 5x5 --normal
  tessera encode slice_*.png -o volume.astc --block 4x4x4
  tessera encode grass.png sand.png rock.png -o ground.ktx2 --array --mips
  tessera encode sky.hdr -o sky.ktx2 --cube --cube-size 512 --profile hdr --mips
  tessera encode density.raw --size 128x128x64 --channels 1 -o density.ktx2 --block 6x6x6
  tessera encode assets/ -o out/ --container ktx2 --target-psnr 40
  tessera encode photo.png -o photo.astc --max-bytes 100000
  mpirun -n 8 tessera encode huge.png -o huge.astc --backend mpi
  cat photo.png | tessera encode - -o - --format bc1 > photo.dds)";

constexpr const char* kTranscodeFooter =
    R"(All mip levels are kept; sRGB stays sRGB, and HDR stays HDR. Examples:
  tessera transcode texture.astc -o texture.dds
  tessera transcode texture.ktx2 -o smaller.ktx2 --format astc --block 8x8 --metrics
  tessera transcode *.astc -o desktop/ --format bc1 --preset realtime --backend auto)";

struct EncodeCommand {
  FileListOptions files;
  RuleOptions rules;
  EncodeOptions encode;
  bool watch = false;
};

// What the command line says, the output's name included.
EncodeOptions given_options(const EncodeCommand& command) {
  EncodeOptions given = command.encode;
  // Where the name is one file's and there are several inputs, the library refuses it.
  if (given.container.empty() && (!is_unnamed_output(command.files) || given.format.empty())) {
    given.container = named_container(command.files);
  }
  return given;
}

bool has_option(const EncodeOptions& options, std::string_view key) {
  return std::any_of(options.options.begin(), options.options.end(),
                     [&](const Option& option) { return option.key == key; });
}

// Fails on all that can be known without files.
Result<Encoder> make_encoder(const EncodeCommand& command, const EncodeOptions& options) {
  if (options.format.empty() && options.container.empty()) {
    return usage_error("say the format with --format (" + build_names("formats") +
                       ") or the container with --container (" + build_names("containers") + ")");
  }
  if (!is_unnamed_output(command.files) && named_container(command.files).empty()) {
    return usage_error("the name " + command.files.output +
                       " has no extension that tells a container (" + build_names("containers") +
                       ")");
  }
  return Encoder::create(options);
}

EncoderInfo info_of(const tessera_encoder* encoder) {
  EncoderInfo info = {};
  info.struct_size = sizeof info;
  tessera_encoder_describe(encoder, &info, nullptr);
  return info;
}

// People wonder where settings come from.
void tell_rules(const RuledEncoders& encoders, const FileListOptions& files) {
  for (const std::string& path : encoders.read_files()) {
    if (!files.quiet && !is_on_ranks(files.backend)) {
      std::fprintf(stderr, "note: settings come from %s\n", printable(path).c_str());
    }
  }
}

bool has_blocks(const EncoderInfo& encoder) {
  return encoder.block_bytes > 0;
}

// As the encoder has it, or as its target or limit has chosen it for this file.
std::string block_of(const EncoderInfo& encoder, const EncodeReport& report) {
  return report.chosen_block[0] != 0
             ? report.chosen_block
             : block_name(encoder.block_width, encoder.block_height, encoder.block_depth);
}

double bits_per_pixel(const EncodeReport& report) {
  return 8.0 * static_cast<double>(report.file_bytes) /
         (static_cast<double>(report.width) * report.height * std::max(report.depth, 1u) *
          std::max(report.layers, 1u));
}

double megapixels_per_second(const EncodeReport& report) {
  return static_cast<double>(report.encoded_pixels) / 1e6 / std::max(report.encode_seconds, 1e-9);
}

Json to_json(const FileReport& file, const EncoderInfo& encoder) {
  const EncodeReport& report = *file.encode;
  Json object = {{"input", file.input},
                 {"output", file.output},
                 {"width", report.width},
                 {"height", report.height}};
  if (report.depth > 1) {
    object["depth"] = report.depth;
  }
  if (report.layers > 1) {
    object["layers"] = report.layers;
    object["faces"] = report.faces;
  }
  object["channels"] = report.channels;
  if (has_blocks(encoder)) {
    object["levels"] = report.levels;
  }
  object["format"] = encoder.format;
  if (has_blocks(encoder)) {
    object["block"] = block_of(encoder, report);
    object["preset"] = report.chosen_preset[0] != 0 ? report.chosen_preset : encoder.preset;
    object["method"] = encoder.method;
    object["profile"] = report.profile;
  }
  if (report.chosen_reason[0] != 0) {
    object["reason"] = report.chosen_reason;
  }
  if (report.rdo_number > 0) {
    object["rdo_size"] = {{"number", report.rdo_number},
                          {"percent", report.rdo_percent},
                          {"reached", report.rdo_missed == 0}};
  }
  object["backend"] = file.backend;
  object["isa"] = file.isa;
  object["threads"] = file.threads;
  object["encode_seconds"] = report.encode_seconds;
  object["mpixels_per_second"] = megapixels_per_second(report);
  object["bytes"] = report.file_bytes;
  object["bpp"] = bits_per_pixel(report);
  object["alpha_dropped"] = report.alpha_dropped != 0;
  const bool is_clamped = (report.clamped_nan | report.clamped_infinite | report.clamped_negative |
                           report.clamped_too_large | report.clamped_alpha) != 0;
  if (is_clamped || std::string(encoder.profile).starts_with("hdr")) {
    object["clamped"] = {{"nan", report.clamped_nan},
                         {"infinite", report.clamped_infinite},
                         {"negative", report.clamped_negative},
                         {"too_large", report.clamped_too_large},
                         {"alpha", report.clamped_alpha}};
  }
  if (report.has_metrics != 0) {
    add_metrics(object, report.metrics);
  }
  if (report.has_angular_error != 0) {
    object["angular_error_degrees"] = {{"mean", report.angular_error_mean},
                                       {"max", report.angular_error_max}};
  }
  return object;
}

// As printf does it. Not a template: so the compiler checks the values.
__attribute__((format(printf, 1, 2))) std::string formatted(const char* format, ...) {
  char text[200];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

std::string line_of(const FileReport& file, const EncoderInfo& encoder) {
  const EncodeReport& report = *file.encode;
  const std::string output = file.output;
  const std::string kind =
      has_blocks(encoder) ? block_of(encoder, report) : (report.channels == 1 ? "grey" : "colour");
  const std::string depth = report.depth > 1 ? "x" + std::to_string(report.depth) : "";
  const std::string extents = depth + layers_text(report.layers, report.faces);
  std::string line = output == kStandardStream ? "standard output" : output;
  line += formatted(": %ux%u%s, %s %s, %zu bytes (%.*f bits per pixel), %.1f MP/s", report.width,
                    report.height, extents.c_str(), encoder.format, kind.c_str(),
                    size_t{report.file_bytes}, has_blocks(encoder) ? 2 : 3, bits_per_pixel(report),
                    megapixels_per_second(report));
  if (report.has_metrics != 0 && report.metrics.has_hdr != 0) {
    line += formatted(", mPSNR %.2f dB, RMSE of logarithms %.4f", report.metrics.mpsnr,
                      report.metrics.log_rmse);
  } else if (report.has_metrics != 0) {
    line +=
        formatted(", PSNR %.2f dB (RGB), SSIM %.4f", report.metrics.psnr_rgb, report.metrics.ssim);
  }
  if (report.has_angular_error != 0) {
    line += formatted(", normals off by %.2f degrees (mean)", report.angular_error_mean);
  }
  if (report.chosen_reason[0] != 0) {
    line += "; " + std::string(report.chosen_reason);
  }
  if (report.rdo_missed != 0) {
    line += formatted("; about %.0f %% of the bytes are left, more than --rdo-size asks for",
                      report.rdo_percent);
  }
  return line;
}

// Whether the pictures are a volume without its name: by blocks of 3D and one output for several
// inputs.
bool means_volume(const EncodeCommand& command) {
  const EncodeOptions& encode = command.encode;
  const bool has_3d_blocks = std::count(encode.block.begin(), encode.block.end(), 'x') == 2;
  FileListOptions as_one = command.files;
  as_one.one_file = true;
  return has_3d_blocks && !encode.transcode && !has_option(encode, "size") &&
         is_folder_output(command.files) && !is_folder_output(as_one);
}

bool makes_one_texture(const EncodeCommand& command) {
  const EncodeOptions& encode = command.encode;
  return has_option(encode, "volume") || has_option(encode, "array") ||
         (has_option(encode, "cube") && command.files.inputs.size() > 1);
}

// Settings that do not go together may come from a file that the user does not think of.
Error with_rules(Error error, const RuledEncoders& encoders) {
  if (const std::vector<std::string> read = encoders.read_files(); !read.empty()) {
    error.message += " (settings of " + read.front() + " count, too; --no-rules leaves them out)";
  }
  return error;
}

int run_encode(EncodeCommand command) {
  if (!makes_one_texture(command) && means_volume(command)) {
    command.encode.options.push_back({"volume", "1"});
  }
  command.files.one_file |= makes_one_texture(command);
  const FileListOptions& files = command.files;
  if (const Status possible = check_file_list(files); !possible) {
    return report_error(possible.error());
  }
  const EncodeOptions given = given_options(command);
  if (!given.preset.empty() && has_option(given, "quality")) {
    return report_failed_list(
        files,
        usage_error(
            "--preset and --quality exclude each other: a quality is a place between two presets"));
  }
  RuledEncoders encoders(command.rules, given);
  const auto options = encoders.options_without_rule(files.inputs);
  if (!options) {
    return report_failed_list(files, options.error());
  }
  const auto encoder = make_encoder(command, *options);
  if (!encoder) {
    return report_failed_list(files, with_rules(encoder.error(), encoders));
  }
  encoders.set_usual(*encoder, *options);
  const EncoderInfo info = encoder->info();
  if (const Status used = encoders.check_has_effect(files.inputs, *options, info.container);
      !used) {
    return report_failed_list(files, used.error());
  }
  const std::string& backend = files.backend.name;
  if ((backend == "opencl" && info.has_opencl_kernels == 0) ||
      (backend == "cuda" && info.has_cuda_kernels == 0)) {
    return report_failed_list(
        files, {ErrorCode::kUnsupported, std::string("the format ") + info.format +
                                             " has no kernels for the backend " + backend});
  }
  const auto context = make_context(files.backend);
  if (!context) {
    return report_failed_list(files, context.error());
  }
  FileResults results(files, context->rank_count(), [](const FileReport& report) -> FileText {
    const EncoderInfo used = info_of(report.encoder);
    return {to_json(report, used), line_of(report, used), notes_of_encoding(report, used.format)};
  });
  FileCalls calls = results.calls();
  calls.choose = [&](const char* input, const char* name) { return encoders.choose(input, name); };
  calls.listed = [&, listed = calls.listed](size_t count) {
    tell_rules(encoders, files);
    listed(count);
  };
  return results.finish(encoder->encode_files(files.inputs, files.output, &*context, calls));
}

// What a run reads, so that a change of it matters.
std::vector<std::string> watched_files(const EncodeCommand& command) {
  std::vector<std::string> watched = command.files.inputs;
  if (!command.rules.path.empty()) {
    watched.push_back(command.rules.path);
  }
  return watched;
}

// Runs again whenever an input changes, until a signal ends it. Files that fail do not end it.
int run_watching(const EncodeCommand& command) {
  const FileListOptions& files = command.files;
  const bool has_stream =
      std::any_of(files.inputs.begin(), files.inputs.end(), [](const std::string& input) {
        return input == kStandardStream || input == std::string("@") + kStandardStream;
      });
  if (has_stream || files.json || files.dry_run || is_on_ranks(files.backend)) {
    return report_error(usage_error(
        "--watch goes with neither standard input, --json, --dry-run nor --backend mpi"));
  }
  auto watch = FolderWatch::create(watched_files(command), files.output);
  if (!watch) {
    return report_error(watch.error());
  }
  for (bool is_first = true;; is_first = false) {
    const int code = run_encode(command);
    // No change of a file makes sense of a wrong request; but a request that was right once becomes
    // wrong by a slip in a file of rules, which is mended there.
    if ((is_first && code == static_cast<int>(ErrorCode::kUsage)) ||
        code == static_cast<int>(ErrorCode::kInterrupted)) {
      return code;
    }
    std::fflush(stdout);
    if (const Status changed = watch->wait(); !changed) {
      return report_error(changed.error());
    }
  }
}

void add_common_options(CLI::App& command, EncodeOptions& encode) {
  command
      .add_option("--format", encode.format,
                  build_names("formats") +
                      " (default: what the output's extension holds; in folders, astc where a "
                      "block size is given)")
      ->check(not_empty());
  command
      .add_option("--container", encode.container,
                  build_names("containers") +
                      " (default: what the output's extension says; in folders, the format's "
                      "usual one)")
      ->check(not_empty());
  command
      .add_option("--block", encode.block,
                  "Block size, such as 8x8, or 4x4x4 for volumes (default: the format's usual one, "
                  "6x6 for astc)")
      ->check(not_empty());
  command
      .add_option("--preset", encode.preset,
                  "realtime, fast, medium, thorough or exhaustive (default: medium)")
      ->check(not_empty());
  command
      .add_option("--as", encode.use,
                  "What the picture is for: color, alpha (cut-outs), normal, mask, packed, hdr or "
                  "ui. It decides the profile, the swizzle, what errors count and how mip levels "
                  "are averaged, where other options do not")
      ->check(not_empty());
  command
      .add_option(
          "--profile", encode.profile,
          "How the texture is read: ldr, srgb, hdr, or hdra for alpha of high dynamic range, too "
          "(default: as --as says; else .ktx2 and .ktx files are srgb where the picture is, and "
          "other files are ldr)")
      ->check(not_empty());
  command.add_option("--swizzle", encode.swizzle, "Four of r g b a 0 1 (default: rgba)")
      ->check(not_empty());
  command.add_flag("--mips", encode.mips, "Write all mip levels");
  command.add_flag("--linear", encode.linear,
                   "Samples are linear, not sRGB (normal maps, masks): mip levels average them as "
                   "they are");
  command.add_flag("--normal", encode.normal_map,
                   "The picture is a normal map: x is stored as luminance and y as alpha, from "
                   "which z follows (astc)");
  command.add_flag("--metrics", encode.metrics, "Decode the result and measure its quality");
}

// Options about pictures as inputs, which textures do not need.
bool is_of_pictures(const OptionInfo& info) {
  constexpr std::array<std::string_view, 7> kKeys = {"volume", "array",    "cube",   "cube-size",
                                                     "size",   "channels", "samples"};
  return std::find(kKeys.begin(), kKeys.end(), info.key) != kKeys.end();
}

// The library's options that the verb takes.
std::vector<OptionInfo> format_options_of(const EncodeOptions& encode) {
  std::vector<OptionInfo> infos = encode_option_list();
  if (encode.transcode) {
    std::erase_if(infos, is_of_pictures);
  }
  return infos;
}

// What both verbs take, but for their inputs.
void add_shared_options(CLI::App& command, const std::shared_ptr<EncodeCommand>& options,
                        const std::string& inputs, int& exit_code) {
  command
      .add_option("IN", options->files.inputs,
                  inputs +
                      ", folders of them, @NAME for a list of inputs in a file, or - for standard "
                      "input")
      ->required();
  command
      .add_option("-o,--output", options->files.output,
                  "The file to write (its extension is one of " + build_names("containers") +
                      "), a folder, or - for standard output")
      ->required();
  add_common_options(command, options->encode);
  CLI::Option* const none =
      command
          .add_flag("--no-rules", options->rules.none,
                    "Do not look for tessera.toml or tessera.json beside the inputs")
          ->group("For folders");
  command
      .add_option("--rules", options->rules.path,
                  "A file of rules for some of the files (default: tessera.toml or tessera.json "
                  "beside the inputs)")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes(none)
      ->group("For folders");
  add_file_list_options(command, options->files);
  add_format_options(command, format_options_of(options->encode), options->encode.options);
  add_key_option(command, options->encode.keys);
  command
      .add_flag("--watch", options->watch,
                "Do not end: make what has changed whenever an input does, until it is interrupted")
      ->group("For folders");
  command.callback([options, &exit_code] {
    exit_code = options->watch ? run_watching(*options) : run_encode(*options);
  });
}

}  // namespace

void add_encode_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<EncodeCommand>();
  command.footer(kEncodeFooter);
  add_shared_options(command, options, "Pictures (" + build_names("pictures") + ")", exit_code);
  add_rank_options(command, options->files.backend);
  command
      .add_option("--mip-file", options->encode.mip_files,
                  "A picture of mip level 1, 2 and so on, in the order in which they are given; "
                  "with --mips, the levels below the last one are made of it")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(not_empty());
}

void add_transcode_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<EncodeCommand>();
  options->encode.transcode = true;
  command.footer(kTranscodeFooter);
  add_shared_options(command, options, "Textures (" + build_names("containers") + ")", exit_code);
  command
      .add_option("--source-profile", options->encode.source_profile,
                  "Read textures as ldr, srgb or hdr (default: as the file says; .astc files do "
                  "not say: ldr)")
      ->check(not_empty());
}

}  // namespace tessera::cli
