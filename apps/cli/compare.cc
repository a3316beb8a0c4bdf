// tessera compare: how far two pictures, textures or fractal images are apart.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "backend_options.h"
#include "client.h"
#include "commands.h"
#include "decode_options.h"
#include "limit_options.h"

namespace tessera::cli {
namespace {

constexpr const char* kCompareFooter = R"(Examples:
  tessera compare photo.png photo.dds
  tessera compare photo.png photo.dds --sheet side-by-side.png --gain 16
  tessera compare golden.png new.png --threshold 40 || echo "worse than 40 dB")";

struct CompareCommand {
  std::string reference;
  std::string test;
  std::optional<double> threshold;  // dB
  std::string sheet;
  double gain = 8;
  std::string block = "4x4";
  DecodeOptions decode;
  BackendOptions backend;
  Limits limits;
  bool json = false;
  bool quiet = false;
};

Status check_same_size(const Image& reference, const Image& test, const CompareCommand& command) {
  if (reference.width == test.width && reference.height == test.height &&
      reference.slices() == test.slices()) {
    return {};
  }
  return Error{ErrorCode::kDiffer,
               command.reference + " is " + block_name(reference.width, reference.height, 1) +
                   " and " + command.test + " is " + block_name(test.width, test.height, 1) +
                   ": images of different sizes cannot be compared"};
}

Status write_sheet(const CompareCommand& command, const Image& reference, const Image& test) {
  const auto sheet = comparison_sheet(reference, test, command.gain);
  if (!sheet) {
    return sheet.error();
  }
  const auto written = write(command.sheet, sheet->image());
  return written ? Status() : Status(written.error());
}

void print_text(const Metrics& metrics) {
  constexpr double kIdentical = 999;  // dB
  const auto decibels = [](double value) {
    return value >= kIdentical ? std::string("infinite (identical)")
                               : std::to_string(value).substr(0, 7) + " dB";
  };
  std::printf("PSNR of RGB:            %s\n", decibels(metrics.psnr_rgb).c_str());
  std::printf("PSNR of RGBA:           %s\n", decibels(metrics.psnr_rgba).c_str());
  std::printf("PSNR weighted by alpha: %s\n", decibels(metrics.psnr_alpha_weighted).c_str());
  std::printf("SSIM:                   %.5f\n", metrics.ssim);
  std::printf("largest error:          %.1f of 255\n", metrics.max_error * 255);
  std::printf("worst block:            %u,%u with %s\n", metrics.worst_block_x,
              metrics.worst_block_y, decibels(metrics.worst_block_psnr_rgb).c_str());
}

Result<Metrics> measure(const CompareCommand& command) {
  const auto block = parse_extent(command.block, 255);
  if (!block) {
    return usage_error("'" + command.block + "' is not a block size such as 6x6");
  }
  if (!command.sheet.empty()) {
    const Status possible = check_output(command.sheet, {command.reference, command.test});
    if (!possible) {
      return possible.error();
    }
  }
  const auto context = make_context(command.backend);
  if (!context) {
    return context.error();
  }
  Progress progress("compare", command.quiet);
  const Control control = {progress.callback(), &stop(), command.limits};
  const auto reference = read(command.reference, command.decode, &*context, control);
  if (!reference) {
    return reference.error();
  }
  const auto test = read(command.test, command.decode, &*context, control);
  if (!test) {
    return test.error();
  }
  const Image images[] = {reference->image(), test->image()};
  if (const Status same = check_same_size(images[0], images[1], command); !same) {
    return same.error();
  }
  auto metrics = compare(images[0], images[1], block->width, block->height);
  if (metrics && !command.sheet.empty()) {
    if (const Status written = write_sheet(command, images[0], images[1]); !written) {
      return written.error();
    }
  }
  return metrics;
}

int run_compare(const CompareCommand& command) {
  const auto metrics = measure(command);
  if (!metrics) {
    return report_error(metrics.error());
  }
  if (command.json) {
    Json object = {{"reference", command.reference}, {"test", command.test}};
    add_metrics(object, *metrics);
    print_json(object);
  } else if (!command.quiet) {
    print_text(*metrics);
  }
  // Without alpha the PSNR of RGBA is never the lower one.
  const double psnr = std::min(metrics->psnr_rgb, metrics->psnr_rgba);
  if (command.threshold && psnr < *command.threshold) {
    return report_error({ErrorCode::kDiffer, command.test + " differs from " + command.reference +
                                                 ": the PSNR is below the threshold"});
  }
  return 0;
}

}  // namespace

void add_compare_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<CompareCommand>();
  command.footer(kCompareFooter);
  command.add_option("A", options->reference, "The reference: a picture or a texture")->required();
  command.add_option("B", options->test, "What to judge: a picture or a texture")->required();
  command
      .add_option("--threshold", options->threshold,
                  "Exit with 7 when the PSNR of RGB or RGBA is lower (dB)")
      ->check(CLI::Range(-1000.0, 1000.0));
  command.add_option("--sheet", options->sheet,
                     "Write original, result and amplified error side by side");
  command.add_option("--gain", options->gain, "How much the sheet amplifies the error")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--block", options->block, "Block size for the worst block")
      ->capture_default_str();
  add_decode_options(command, options->decode);
  add_thread_option(command, options->backend);
  add_limit_options(command, options->limits);
  command.add_flag("--json", options->json, "Print the result as JSON");
  command.add_flag("--quiet", options->quiet, "Print nothing but errors");
  command.callback([options, &exit_code] { exit_code = run_compare(*options); });
}

}  // namespace tessera::cli
