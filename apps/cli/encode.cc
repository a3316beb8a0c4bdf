// tessera encode and transcode: pictures, or textures, to compressed textures and fractal images.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "client.h"
#include "commands.h"
#include "file_list.h"
#include "format_options.h"

namespace tessera::cli {
namespace {

constexpr const char* kEncodeFooter = R"(Examples:
  tessera encode photo.png -o photo.dds
  tessera encode photo.png -o photo.dds --preset realtime --metrics
  tessera encode photo.png -o photo.tsf --bpp 0.3 --metrics
  tessera encode a.png b.jpg -o textures/ --format bc1 --mips --json
  tessera encode photo.png -o photo.ktx2 --format bc1 --mips --zstd
  tessera encode photo.png -o photo.astc --block 6x6 --preset thorough --metrics
  tessera encode normals.png -o normals.astc --block 5x5 --normal
  mpirun -n 8 tessera encode huge.png -o huge.astc --backend mpi
  cat photo.png | tessera encode - -o - --format bc1 > photo.dds)";

constexpr const char* kTranscodeFooter = R"(All mip levels are kept, and sRGB stays sRGB. Examples:
  tessera transcode texture.astc -o texture.dds
  tessera transcode texture.ktx2 -o smaller.ktx2 --format astc --block 8x8 --metrics
  tessera transcode *.astc -o desktop/ --format bc1 --preset realtime --backend auto)";

struct EncodeCommand {
  FileListOptions files;
  EncodeOptions encode;
};

// The container that the output's name tells, in small letters; "" where it tells none.
std::string named_container(const FileListOptions& files) {
  std::string name = std::filesystem::path(files.output).extension().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Json& container : build()["containers"]) {
    if (name == "." + container.get<std::string>()) {
      return container;
    }
  }
  return "";
}

// What the options ask for; fails on all that can be known without files.
Result<Encoder> make_encoder(const EncodeCommand& command) {
  EncodeOptions options = command.encode;
  const bool unnamed = is_unnamed_output(command.files);
  options.container = unnamed ? "" : named_container(command.files);
  if (options.format.empty() && options.container.empty()) {
    return usage_error("say the format with --format (" + build_names("formats") + ")");
  }
  if (!unnamed && options.container.empty()) {
    return usage_error("the name " + command.files.output +
                       " has no extension that tells a container (" + build_names("containers") +
                       ")");
  }
  return Encoder::create(options);
}

bool has_blocks(const EncoderInfo& encoder) {
  return encoder.block_bytes > 0;
}

std::string block_of(const EncoderInfo& encoder) {
  return block_name(encoder.block_width, encoder.block_height, encoder.block_depth);
}

double bits_per_pixel(const EncodeReport& report) {
  return 8.0 * static_cast<double>(report.file_bytes) /
         (static_cast<double>(report.width) * report.height);
}

double megapixels_per_second(const EncodeReport& report) {
  return static_cast<double>(report.encoded_pixels) / 1e6 / std::max(report.encode_seconds, 1e-9);
}

Json to_json(const FileReport& file, const EncoderInfo& encoder) {
  const EncodeReport& report = *file.encode;
  Json object = {{"input", file.input},
                 {"output", file.output},
                 {"width", report.width},
                 {"height", report.height},
                 {"channels", report.channels}};
  if (has_blocks(encoder)) {
    object["levels"] = report.levels;
  }
  object["format"] = encoder.format;
  if (has_blocks(encoder)) {
    object["block"] = block_of(encoder);
    object["preset"] = encoder.preset;
    object["method"] = encoder.method;
    object["profile"] = encoder.profile;
  }
  object["backend"] = file.backend;
  object["isa"] = file.isa;
  object["threads"] = file.threads;
  object["encode_seconds"] = report.encode_seconds;
  object["mpixels_per_second"] = megapixels_per_second(report);
  object["bytes"] = report.file_bytes;
  object["bpp"] = bits_per_pixel(report);
  object["alpha_dropped"] = report.alpha_dropped != 0;
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
      has_blocks(encoder) ? block_of(encoder) : (report.channels == 1 ? "grey" : "colour");
  std::string line = output == kStandardStream ? "standard output" : output;
  line +=
      formatted(": %ux%u, %s %s, %zu bytes (%.*f bits per pixel), %.1f MP/s", report.width,
                report.height, encoder.format, kind.c_str(), size_t{report.file_bytes},
                has_blocks(encoder) ? 2 : 3, bits_per_pixel(report), megapixels_per_second(report));
  if (report.has_metrics != 0) {
    line +=
        formatted(", PSNR %.2f dB (RGB), SSIM %.4f", report.metrics.psnr_rgb, report.metrics.ssim);
  }
  if (report.has_angular_error != 0) {
    line += formatted(", normals off by %.2f degrees (mean)", report.angular_error_mean);
  }
  return line;
}

std::string note_of(const FileReport& file, const EncoderInfo& encoder) {
  return file.encode->alpha_dropped != 0
             ? "note: " + input_display_name(file.input) + " has transparent pixels, and " +
                   encoder.format + " dropped its alpha"
             : "";
}

int run_encode(const EncodeCommand& command) {
  const FileListOptions& files = command.files;
  if (const Status possible = check_file_list(files); !possible) {
    return report_error(possible.error());
  }
  const auto encoder = make_encoder(command);
  if (!encoder) {
    return report_error(encoder.error());
  }
  const EncoderInfo info = encoder->info();
  const std::string& backend = files.backend.name;
  if ((backend == "opencl" && info.has_opencl_kernels == 0) ||
      (backend == "cuda" && info.has_cuda_kernels == 0)) {
    return report_error(
        {ErrorCode::kUnsupported,
         std::string("the format ") + info.format + " has no kernels for the backend " + backend});
  }
  const auto context = make_context(files.backend);
  if (!context) {
    return report_error(context.error());
  }
  FileResults results(files, context->rank_count(), [&](const FileReport& report) -> FileText {
    return {to_json(report, info), line_of(report, info), note_of(report, info)};
  });
  return results.finish(
      encoder->encode_files(files.inputs, files.output, &*context, results.calls()));
}

void add_common_options(CLI::App& command, EncodeOptions& encode) {
  command
      .add_option("--format", encode.format,
                  build_names("formats") + " (default: what the output's extension holds)")
      ->check(not_empty());
  command
      .add_option("--block", encode.block,
                  "Block size, such as 6x6 (default: the format's smallest)")
      ->check(not_empty());
  encode.preset = "medium";
  command.add_option("--preset", encode.preset, "realtime, fast, medium, thorough or exhaustive")
      ->check(not_empty())
      ->capture_default_str();
  command
      .add_option("--as", encode.use,
                  "What the picture is for: color, alpha (cut-outs), normal, mask, packed, hdr or "
                  "ui. It decides the profile, the swizzle, what errors count and how mip levels "
                  "are averaged, where other options do not")
      ->check(not_empty());
  command
      .add_option("--profile", encode.profile, "ldr, srgb or hdr (default: ldr, or as --as says)")
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

// What both verbs take, but for their inputs.
void add_shared_options(CLI::App& command, const std::shared_ptr<EncodeCommand>& options,
                        const std::string& inputs, int& exit_code) {
  command.add_option("IN", options->files.inputs, inputs + "; - for standard input")->required();
  command
      .add_option("-o,--output", options->files.output,
                  "The file to write (its extension is one of " + build_names("containers") +
                      "), a folder, or - for standard output")
      ->required();
  add_common_options(command, options->encode);
  add_file_list_options(command, options->files);
  add_format_options(command, encode_option_list(), options->encode.options);
  command.callback([options, &exit_code] { exit_code = run_encode(*options); });
}

}  // namespace

void add_encode_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<EncodeCommand>();
  command.footer(kEncodeFooter);
  add_shared_options(command, options, "Pictures (" + build_names("pictures") + ")", exit_code);
  add_rank_options(command, options->files.backend);
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
