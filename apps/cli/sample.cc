// tessera sample: pictures made by code, for who has none at hand.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>

#include "base/file.h"
#include "commands.h"
#include "containers/texture.h"
#include "image/synthetic.h"
#include "imageio/image_file.h"
#include "session.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  tessera sample -o sample.png
  tessera sample --kind sprite --size 256x256 --seed 7 -o sprite.png)";

struct SampleOptions {
  std::string output;
  std::string kind = "photo";
  std::string size = "768x512";
  uint32_t seed = 1;
  bool quiet = false;
};

std::string known_kinds() {
  std::string names;
  for (const SyntheticKind kind :
       {SyntheticKind::kPhoto, SyntheticKind::kInterface, SyntheticKind::kSprite,
        SyntheticKind::kNormalMap, SyntheticKind::kNoise, SyntheticKind::kConstant}) {
    names += (names.empty() ? "" : ", ") + std::string(synthetic_kind_name(kind));
  }
  return names;
}

struct Size {
  uint32_t width = 0;
  uint32_t height = 0;
};

Result<Size> parse_size(const std::string& text) {
  constexpr uint32_t kMaxSide = 99999;  // pixels
  Size size;
  const char* const end = text.data() + text.size();
  const auto [middle, width_error] = std::from_chars(text.data(), end, size.width);
  if (width_error == std::errc() && middle != end && *middle == 'x') {
    const auto [rest, height_error] = std::from_chars(middle + 1, end, size.height);
    const bool in_range =
        std::min(size.width, size.height) > 0 && std::max(size.width, size.height) <= kMaxSide;
    if (height_error == std::errc() && rest == end && in_range) {
      return size;
    }
  }
  return usage_error("'" + text + "' is not a size such as 768x512 (at most 99999 a side)");
}

Status write_sample(const SampleOptions& options) {
  const auto kind = parse_synthetic_kind(options.kind);
  if (!kind) {
    return usage_error("'" + options.kind + "' is not a kind (" + known_kinds() + ")");
  }
  TESSERA_ASSIGN_OR_RETURN(const Size size, parse_size(options.size));
  const auto type = options.output == kStandardStream ? ImageFileType::kPng
                                                      : writable_type_of_name(options.output);
  if (!type) {
    return usage_error("the name " + options.output +
                       " has no extension that can be written (.png, .ppm, .tga)");
  }
  TESSERA_RETURN_IF_ERROR(check_writable(options.output));
  TESSERA_ASSIGN_OR_RETURN(const Image image,
                           make_synthetic_image(*kind, size.width, size.height, options.seed));
  TESSERA_RETURN_IF_ERROR(check_interrupted());
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, encode_image(image.view(), *type));
  TESSERA_RETURN_IF_ERROR(check_interrupted());
  TESSERA_RETURN_IF_ERROR(write_file(options.output, bytes));
  if (!options.quiet && options.output != kStandardStream) {
    std::printf("%s: %ux%u, %s, %zu bytes\n", options.output.c_str(), size.width, size.height,
                options.kind.c_str(), bytes.size());
  }
  return {};
}

}  // namespace

void add_sample_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SampleOptions>();
  CLI::App* command = app.add_subcommand("sample", "Make a picture to try things on");
  command->footer(kFooter);
  command->add_option("-o,--output", options->output, "The file to write (.png, .ppm, .tga), or -")
      ->required();
  command->add_option("--kind", options->kind, "Kind of picture: " + known_kinds())
      ->capture_default_str();
  command->add_option("--size", options->size, "Width x height in pixels")->capture_default_str();
  command->add_option("--seed", options->seed, "Another number, another picture")
      ->capture_default_str();
  command->add_flag("--quiet", options->quiet, "Print nothing but errors");
  command->callback([options, &exit_code] {
    const Status status = write_sample(*options);
    exit_code = status ? 0 : report_error(status.error());
  });
}

}  // namespace tessera::cli
