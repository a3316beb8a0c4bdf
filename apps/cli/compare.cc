// tessera compare: how far two pictures (or textures) are apart.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/file.h"
#include "codec_options.h"
#include "commands.h"
#include "files/any_image.h"
#include "files/file_plan.h"
#include "image/comparison_sheet.h"
#include "image/metrics.h"
#include "imageio/image_file.h"
#include "report_json.h"
#include "session.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  tessera compare photo.png photo.dds
  tessera compare photo.png photo.dds --sheet side-by-side.png --gain 16
  tessera compare golden.png new.png --threshold 40 || echo "worse than 40 dB")";

struct CompareOptions {
  std::string reference;
  std::string test;
  double threshold = 0;
  bool has_threshold = false;
  std::string sheet;
  double gain = 8;
  std::string block = "4x4";
  TypedDecodeOptions typed;
  DecodeOptions decode;
  unsigned threads = 0;
  bool json = false;
  bool quiet = false;
};

Status check_same_size(const AnyImage& a, const AnyImage& b, const CompareOptions& options) {
  const ImageInfo& first = a.image.info();
  const ImageInfo& second = b.image.info();
  if (first.width == second.width && first.height == second.height &&
      first.slices() == second.slices()) {
    return {};
  }
  const auto size = [](const ImageInfo& info) {
    return std::to_string(info.width) + "x" + std::to_string(info.height);
  };
  return Error{ErrorCode::kDiffer, options.reference + " is " + size(first) + " and " +
                                       options.test + " is " + size(second) +
                                       ": images of different sizes cannot be compared"};
}

Status write_sheet(const CompareOptions& options, const Image& reference, const Image& test) {
  TESSERA_ASSIGN_OR_RETURN(const Image sheet,
                           make_comparison_sheet(reference.view(), test.view(), options.gain));
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes,
                           encode_image(sheet.view(), *writable_type_of_name(options.sheet)));
  return write_file(options.sheet, bytes);
}

void print_text(const Metrics& metrics) {
  const auto decibels = [](double value) {
    return value >= kInfinitePsnr ? std::string("infinite (identical)")
                                  : std::to_string(value).substr(0, 7) + " dB";
  };
  std::printf("PSNR of RGB:            %s\n", decibels(metrics.psnr_rgb).c_str());
  std::printf("PSNR of RGBA:           %s\n", decibels(metrics.psnr_rgba).c_str());
  std::printf("PSNR weighted by alpha: %s\n", decibels(metrics.psnr_alpha_weighted).c_str());
  std::printf("SSIM:                   %.5f\n", metrics.ssim);
  std::printf("largest error:          %.1f of 255\n", metrics.max_error * 255);
  std::printf("worst block:            %u,%u with %s\n", metrics.worst_block.x,
              metrics.worst_block.y, decibels(metrics.worst_block.psnr_rgb).c_str());
}

Result<Metrics> compare(const CompareOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const BlockSize block, parse_block_size(options.block));
  if (!options.sheet.empty()) {
    if (!writable_type_of_name(options.sheet)) {
      return usage_error("the name " + options.sheet +
                         " has no extension that can be written (.png, .ppm, .tga)");
    }
    TESSERA_RETURN_IF_ERROR(check_output_is_not(options.reference, options.sheet));
    TESSERA_RETURN_IF_ERROR(check_output_is_not(options.test, options.sheet));
    TESSERA_RETURN_IF_ERROR(check_writable(options.sheet));
  }
  const auto backend = make_cpu_backend(options.threads);
  Progress progress("compare", options.quiet);
  TESSERA_ASSIGN_OR_RETURN(
      const AnyImage reference,
      read_any_image(options.reference, 0, options.decode, *backend, control_of(progress)));
  TESSERA_ASSIGN_OR_RETURN(const AnyImage test, read_any_image(options.test, 0, options.decode,
                                                               *backend, control_of(progress)));
  TESSERA_RETURN_IF_ERROR(check_same_size(reference, test, options));
  TESSERA_ASSIGN_OR_RETURN(
      const Metrics metrics,
      compute_metrics(reference.image.view(), test.image.view(), {block.width, block.height}));
  if (!options.sheet.empty()) {
    TESSERA_RETURN_IF_ERROR(write_sheet(options, reference.image, test.image));
  }
  return metrics;
}

int run_compare(CompareOptions& options) {
  const auto decode = parse_decode_options(options.typed);
  if (!decode) {
    return report_error(decode.error());
  }
  options.decode = *decode;
  const auto metrics = compare(options);
  if (!metrics) {
    return report_error(metrics.error());
  }
  if (options.json) {
    Json object = {{"reference", options.reference}, {"test", options.test}};
    add_metrics(object, *metrics);
    print_json(object);
  } else if (!options.quiet) {
    print_text(*metrics);
  }
  // Without alpha the PSNR of RGBA is never the lower one.
  const double psnr = std::min(metrics->psnr_rgb, metrics->psnr_rgba);
  if (options.has_threshold && psnr < options.threshold) {
    return report_error({ErrorCode::kDiffer, options.test + " differs from " + options.reference +
                                                 ": the PSNR is below the threshold"});
  }
  return 0;
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      app.add_subcommand("compare", "Measure how far two pictures or textures are apart");
  command->footer(kFooter);
  command->add_option("A", options->reference, "The reference: a picture or a texture")->required();
  command->add_option("B", options->test, "What to judge: a picture or a texture")->required();
  CLI::Option* threshold =
      command
          ->add_option("--threshold", options->threshold,
                       "Exit with 7 when the PSNR of RGB or RGBA is lower (dB)")
          ->check(CLI::Range(-1000.0, 1000.0));
  command->add_option("--sheet", options->sheet,
                      "Write original, result and amplified error side by side");
  command->add_option("--gain", options->gain, "How much the sheet amplifies the error")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--block", options->block, "Block size for the worst block")
      ->capture_default_str();
  add_decode_options(*command, options->typed);
  command->add_option("--threads", options->threads, "Threads to use; 0: all cores")
      ->check(CLI::Range(0u, kMaxThreads));
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->add_flag("--quiet", options->quiet, "Print nothing but errors");
  command->callback([options, threshold, &exit_code] {
    options->has_threshold = threshold->count() > 0;
    exit_code = run_compare(*options);
  });
}

}  // namespace tessera::cli
