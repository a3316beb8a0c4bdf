// tessera advise: which block size serves a picture.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "advise_chart.h"
#include "backend_options.h"
#include "client.h"
#include "commands.h"
#include "format_options.h"
#include "limit_options.h"

namespace tessera::cli {
namespace {

constexpr const char* kAdviseFooter =
    R"(Qualities are estimates from a sample of the picture. Examples:
  tessera advise photo.png
  tessera advise photo.png --chart photo.svg --preset fast
  tessera advise normals.png --as normal --target-psnr 38
  tessera advise photo.png --max-bpp 3 --json
  tessera advise photo.png --max-bytes 100000 --mips --zstd
  tessera advise sky.exr --profile hdr)";

struct AdviseCommand {
  std::string input;
  std::string chart;
  EncodeOptions encode;
  BackendOptions backend;
  Limits limits;
  bool json = false;
};

// What decides qualities, and the size of the file.
std::vector<OptionInfo> quality_options() {
  constexpr std::array<std::string_view, 14> kKeys = {
      "target-psnr", "target-ssim",     "max-error",    "max-bpp",    "max-bytes",
      "quality",     "channel-weights", "alpha-weight", "perceptual", "rgbm",
      "tonemap",     "exposure",        "zstd",         "zstd-level"};
  std::vector<OptionInfo> infos = encode_option_list();
  std::erase_if(infos, [&](const OptionInfo& info) {
    return std::find(kKeys.begin(), kKeys.end(), info.key) == kKeys.end();
  });
  return infos;
}

bool is_zstd(const EncodeOptions& options) {
  return std::any_of(options.options.begin(), options.options.end(),
                     [](const Option& option) { return option.key == "zstd"; });
}

void print_table(const Json& advice) {
  const std::string measure = advice["measure"].get<std::string>();
  const bool is_light = measure == "mpsnr";
  std::printf("block   bits per pixel      bytes  %s dB%s\n", is_light ? "mPSNR" : " PSNR",
              is_light ? "" : "     SSIM   largest error of 255");
  for (const Json& size : advice["sizes"]) {
    std::printf("%-6s %15.2f %10lld %9.2f", size["block"].get<std::string>().c_str(),
                size["bpp"].get<double>(), static_cast<long long>(size["bytes"].get<int64_t>()),
                size[measure].get<double>());
    if (!is_light) {
      std::printf(" %8.4f %12.1f", size["ssim"].get<double>(),
                  size["max_error"].get<double>() * 255);
    }
    std::printf("%s\n", size["block"] == advice["recommended"] ? "   <-" : "");
  }
  std::printf("%s.\n", advice["reason"].get<std::string>().c_str());
}

Result<Json> advise(const AdviseCommand& command) {
  if (!command.chart.empty() && !command.chart.ends_with(".svg")) {
    return usage_error("the name " + command.chart + " of the chart does not end with .svg");
  }
  EncodeOptions options = command.encode;
  if (options.container.empty() && (options.mips || is_zstd(options))) {
    options.container = "ktx2";
  }
  const auto encoder = Encoder::create(options);
  if (!encoder) {
    return encoder.error();
  }
  const auto context = make_context(command.backend);
  if (!context) {
    return context.error();
  }
  Control control;
  control.stop = &stop();
  control.limits = command.limits;
  // Tables for all block sizes, and what becomes of the picture before samples are taken of it.
  control.limits.caller_bytes = uint64_t{36} << 20;
  control.limits.caller_copies = 2;
  control.limits.caller_bytes_per_pixel = options.mips ? 11 : 8;
  FileInfo info = {};
  info.struct_size = sizeof info;
  const auto picture = read(command.input, {}, &*context, control, &info);
  if (!picture) {
    return picture.error();
  }
  const auto text = encoder->advise(picture->image(), &*context, control);
  if (!text) {
    return Error{text.error().code,
                 input_display_name(command.input) + ": " + text.error().message};
  }
  Json advice = {{"input", command.input}};
  advice.update(Json::parse(text->text()));
  if (!command.chart.empty()) {
    const std::string chart = advice_chart(advice, input_display_name(command.input));
    const auto* const bytes = reinterpret_cast<const uint8_t*>(chart.data());
    if (const Status written = write_bytes(command.chart, {bytes, chart.size()}); !written) {
      return written.error();
    }
  }
  return advice;
}

int run_advise(const AdviseCommand& command) {
  const auto advice = advise(command);
  if (!advice) {
    return report_error(advice.error());
  }
  if (command.json) {
    print_json(*advice);
  } else {
    print_table(*advice);
  }
  return 0;
}

}  // namespace

void add_advise_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<AdviseCommand>();
  options->encode.format = "astc";
  command.footer(kAdviseFooter);
  command.add_option("PICTURE", options->input, "A picture or a texture, or - for standard input")
      ->required();
  command.add_option("--chart", options->chart, "Write a chart of quality and size")
      ->type_name("FILE.svg")
      ->check(not_empty());
  command
      .add_option("--preset", options->encode.preset,
                  "realtime, fast, medium, thorough or exhaustive (default: medium)")
      ->check(not_empty());
  command
      .add_option(
          "--as", options->encode.use,
          "What the picture is for: color, alpha (cut-outs), normal, mask, packed, hdr or ui")
      ->check(not_empty());
  command.add_option("--profile", options->encode.profile, "ldr, srgb, hdr or hdra")
      ->check(not_empty());
  command.add_option("--swizzle", options->encode.swizzle, "Four of r g b a 0 1 (default: rgba)")
      ->check(not_empty());
  command.add_flag("--mips", options->encode.mips, "The file has all mip levels");
  command
      .add_option(
          "--container", options->encode.container,
          "astc, ktx2 or ktx: the file whose bytes count (default: astc, or ktx2 with --mips "
          "or --zstd)")
      ->check(not_empty());
  command.add_flag("--normal", options->encode.normal_map, "The picture is a normal map");
  add_format_options(command, quality_options(), options->encode.options);
  add_thread_option(command, options->backend);
  add_limit_options(command, options->limits);
  command.add_flag("--json", options->json, "Print the result as JSON");
  command.callback([options, &exit_code] { exit_code = run_advise(*options); });
}

}  // namespace tessera::cli
