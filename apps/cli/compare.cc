// tessera compare: how far two pictures, textures or fractal images are apart.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
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
  bool plain_sheet = false;
  double gain = 8;
  std::string block;  // "": that of the texture, or 4x4
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
               command.reference + " is " +
                   block_name(reference.width, reference.height, reference.slices()) + " and " +
                   command.test + " is " + block_name(test.width, test.height, test.slices()) +
                   ": images of different sizes cannot be compared"};
}

Status write_sheet(const CompareCommand& command, const Image& reference, const Image& test,
                   const Extent& block) {
  SheetOptions options;
  options.reference_name = std::filesystem::path(command.reference).filename().string();
  options.test_name = std::filesystem::path(command.test).filename().string();
  options.gain = command.gain;
  options.block_width = block.width;
  options.block_height = block.height;
  const auto sheet = command.plain_sheet ? comparison_sheet(reference, test, command.gain)
                                         : annotated_sheet(reference, test, options);
  if (!sheet) {
    return sheet.error();
  }
  const auto written = write(command.sheet, sheet->image());
  return written ? Status() : Status(written.error());
}

// All that is measured.
struct Comparison {
  Metrics metrics = {};
  std::array<double, 4> channels = {};  // PSNR, dB
  std::optional<NormalAngles> angles;
  Extent block;

  bool is_identical() const { return metrics.max_error == 0; }
};

void print_text(const Comparison& comparison) {
  constexpr double kIdentical = 999;  // dB
  const Metrics& metrics = comparison.metrics;
  const auto decibels = [](double value) {
    return value >= kIdentical ? std::string("infinite (identical)")
                               : std::to_string(value).substr(0, 7) + " dB";
  };
  if (comparison.is_identical()) {
    std::printf("the images are identical\n");
  }
  std::printf("PSNR of RGB:            %s\n", decibels(metrics.psnr_rgb).c_str());
  std::printf("PSNR of RGBA:           %s\n", decibels(metrics.psnr_rgba).c_str());
  std::printf("PSNR weighted by alpha: %s\n", decibels(metrics.psnr_alpha_weighted).c_str());
  if (metrics.has_hdr != 0) {
    std::printf("mPSNR of RGB:           %s (f-stops -10 to +10)\n",
                decibels(metrics.mpsnr).c_str());
    std::printf("PSNR of RGB to peak:    %s (peak %g)\n", decibels(metrics.psnr_peak).c_str(),
                metrics.peak);
    std::printf("RMSE of logarithms:     %.5f octaves\n", metrics.log_rmse);
  }
  constexpr const char* kChannels[] = {"red:  ", "green:", "blue: ", "alpha:"};
  for (size_t c = 0; c < 4; ++c) {
    std::printf("PSNR of %s          %s\n", kChannels[c], decibels(comparison.channels[c]).c_str());
  }
  std::printf("SSIM:                   %.5f\n", metrics.ssim);
  if (comparison.angles) {
    std::printf("normals are off by:     %.3f degrees (mean), %.3f (largest)\n",
                comparison.angles->mean, comparison.angles->largest);
  }
  std::printf("largest error:          %.1f of 255\n", metrics.max_error * 255);
  const Extent& block = comparison.block;
  std::printf("worst block:            %u,%u of %ux%u (from pixel %u,%u on) with %s\n",
              metrics.worst_block_x, metrics.worst_block_y, block.width, block.height,
              metrics.worst_block_x * block.width, metrics.worst_block_y * block.height,
              decibels(metrics.worst_block_psnr_rgb).c_str());
}

bool has_floats(const Picture& picture) {
  const Sample sample = picture.image().sample;
  return sample == Sample::kF16 || sample == Sample::kF32;
}

bool maps_tones(const DecodeOptions& options) {
  return std::any_of(options.options.begin(), options.options.end(),
                     [](const Option& option) { return option.key == "tonemap"; });
}

// High dynamic range is read as such: where the file says so, or --profile, unless its tones are
// mapped.
Result<Picture> read_one(const std::string& path, DecodeOptions options, const Context& context,
                         const Control& control, FileInfo& info) {
  options.sample = options.profile == "hdr" && !maps_tones(options) ? Sample::kF16 : options.sample;
  {
    auto picture = read(path, options, &context, control, &info);
    if (!picture || info.hdr == 0 || !options.profile.empty() || has_floats(*picture) ||
        maps_tones(options)) {
      return picture;
    }
  }
  options.sample = Sample::kF16;
  return read(path, options, &context, control, &info);
}

// What counts while a file is read beside another one.
Control beside(const Picture& other, const FileInfo& info, const Control& control) {
  Control both = control;
  both.limits.caller_files = info.file_bytes;
  both.limits.caller_bytes += memory_of(other.image());
  return both;
}

struct Pictures {
  Picture reference;
  Picture test;
  std::array<FileInfo, 2> infos;  // of the files of both
};

// Files of .astc do not say what they are: beside a picture of floats they are of high dynamic
// range.
Result<Pictures> read_both(const CompareCommand& command, const Context& context,
                           const Control& control) {
  std::array<FileInfo, 2> infos = {};
  infos[0].struct_size = infos[1].struct_size = sizeof(FileInfo);
  auto reference = read_one(command.reference, command.decode, context, control, infos[0]);
  if (!reference) {
    return reference.error();
  }
  auto test = read_one(command.test, command.decode, context, beside(*reference, infos[0], control),
                       infos[1]);
  if (!test) {
    return test.error();
  }
  DecodeOptions hdr = command.decode;
  hdr.profile = "hdr";
  const bool is_hdr = has_floats(*reference) || has_floats(*test);
  Result<Picture>* const pictures[] = {&reference, &test};
  const std::string* const paths[] = {&command.reference, &command.test};
  for (size_t i = 0; is_hdr && command.decode.profile.empty() && i < 2; ++i) {
    if (!has_floats(**pictures[i]) && std::string(infos[i].type) == "astc") {
      *pictures[i] = Error();  // its pixels are not needed any more
      *pictures[i] = read_one(*paths[i], hdr, context,
                              beside(**pictures[1 - i], infos[1 - i], control), infos[i]);
      if (!*pictures[i]) {
        return pictures[i]->error();
      }
    }
  }
  return Pictures{std::move(*reference), std::move(*test), infos};
}

// Where one stands upside down, and the other does not say so.
void tell_upside_down(const CompareCommand& command, const std::array<FileInfo, 2>& infos) {
  if (!command.quiet && infos[0].upside_down != infos[1].upside_down) {
    const bool is_test = infos[1].upside_down != 0;
    std::fprintf(stderr,
                 "note: %s says that its first row is the lowest (KTXorientation ru), and is "
                 "compared as it lies there\n",
                 printable(input_display_name(is_test ? command.test : command.reference)).c_str());
  }
}

// The block size of the texture that is judged, or of the reference, unless one was named.
Result<Extent> block_for(const CompareCommand& command, const FileInfo& reference,
                         const FileInfo& test) {
  if (command.block.empty()) {
    const FileInfo& texture = test.block_width > 0 ? test : reference;
    return texture.block_width > 0 ? Extent{texture.block_width, texture.block_height}
                                   : Extent{4, 4};
  }
  const auto block = parse_extent(command.block, 255);
  if (!block) {
    return usage_error("'" + command.block + "' is not a block size such as 6x6");
  }
  return *block;
}

// Of two images of the same size.
Result<Comparison> compare_all(const Image& reference, const Image& test, const Extent& block,
                               bool are_normals) {
  Comparison comparison;
  comparison.block = block;
  const auto metrics = compare(reference, test, block.width, block.height);
  if (!metrics) {
    return metrics.error();
  }
  comparison.metrics = *metrics;
  const auto channels = compare_channels(reference, test);
  if (!channels) {
    return channels.error();
  }
  comparison.channels = *channels;
  if (are_normals) {
    const auto angles = compare_normals(reference, test);
    if (!angles) {
      return angles.error();
    }
    comparison.angles = *angles;
  }
  return comparison;
}

Result<Comparison> measure(const CompareCommand& command) {
  if (const auto named = block_for(command, {}, {}); !named) {
    return named.error();
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
  Control control = {progress.callback(), &stop(), command.limits};
  if (!command.sheet.empty()) {  // the sheet, and the file that it becomes
    control.limits.caller_bytes = uint64_t{24} << 20;
    control.limits.caller_bytes_per_pixel = 40;
  }
  const auto pictures = read_both(command, *context, control);
  if (!pictures) {
    return pictures.error();
  }
  tell_upside_down(command, pictures->infos);
  const Image images[] = {pictures->reference.image(), pictures->test.image()};
  if (const Status same = check_same_size(images[0], images[1], command); !same) {
    return same.error();
  }
  auto comparison =
      compare_all(images[0], images[1], *block_for(command, pictures->infos[0], pictures->infos[1]),
                  command.decode.normal_map);
  if (comparison && !command.sheet.empty()) {
    if (const Status written = write_sheet(command, images[0], images[1], comparison->block);
        !written) {
      return written.error();
    }
  }
  return comparison;
}

Json to_json(const CompareCommand& command, const Comparison& comparison) {
  Json object = {{"reference", command.reference},
                 {"test", command.test},
                 {"identical", comparison.is_identical()}};
  add_metrics(object, comparison.metrics);
  object["worst_block"]["block"] = block_name(comparison.block.width, comparison.block.height, 1);
  object["psnr_channels"] = comparison.channels;
  if (comparison.angles) {
    object["angular_error_degrees"] = {{"mean", comparison.angles->mean},
                                       {"max", comparison.angles->largest}};
  }
  return object;
}

int run_compare(const CompareCommand& command) {
  const auto comparison = measure(command);
  if (!comparison) {
    return report_error(comparison.error());
  }
  if (command.json) {
    print_json(to_json(command, *comparison));
  } else if (!command.quiet) {
    print_text(*comparison);
  }
  // Without alpha the PSNR of RGBA is never the lower one.
  const Metrics& metrics = comparison->metrics;
  const double psnr = std::min(metrics.psnr_rgb, metrics.psnr_rgba);
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
  CLI::Option* const sheet = command.add_option(
      "--sheet", options->sheet,
      "Write original, result and amplified error side by side, with labels, and below "
      "them the blocks around the worst one, enlarged");
  command
      .add_flag("--plain-sheet", options->plain_sheet,
                "The sheet has the three pictures alone, without labels and worst block")
      ->needs(sheet);
  command.add_option("--gain", options->gain, "How much the sheet amplifies the error")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--block", options->block,
                     "Block size for the worst block (default: that of the texture, or 4x4)");
  add_decode_options(command, options->decode);
  add_thread_option(command, options->backend);
  add_limit_options(command, options->limits);
  command.add_flag("--json", options->json, "Print the result as JSON");
  command.add_flag("-q,--quiet", options->quiet, "Print nothing but errors");
  command.callback([options, &exit_code] { exit_code = run_compare(*options); });
}

}  // namespace tessera::cli
