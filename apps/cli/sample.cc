// tessera sample: pictures made by code, to try things on.
#include <cstdio>
#include <memory>

#include "client.h"
#include "commands.h"

namespace tessera::cli {
namespace {

constexpr const char* kSampleFooter = R"(Examples:
  tessera sample -o sample.png
  tessera sample --kind sprite --size 256x256 --seed 7 -o sprite.png)";

struct SampleCommand {
  std::string output;
  std::string kind = "photo";
  std::string size = "768x512";
  uint32_t seed = 1;
  bool quiet = false;
};

Status write_sample(const SampleCommand& command) {
  constexpr uint32_t kMaxSide = 99999;  // pixels
  const auto size = parse_extent(command.size, kMaxSide);
  if (!size) {
    return usage_error("'" + command.size +
                       "' is not a size such as 768x512 (at most 99999 per side)");
  }
  const std::string type = command.output == kStandardStream ? "png" : "";
  if (const Status possible = check_output(command.output, {}, type); !possible) {
    return possible.error();
  }
  if (Status open = check_output_stream(command.output); !open) {
    return open;
  }
  const auto picture = make_sample(command.kind, size->width, size->height, command.seed);
  if (!picture) {
    return picture.error();
  }
  if (const Status status = check_interrupted(); !status) {
    return status.error();
  }
  const auto bytes = write(command.output, picture->image(), type);
  if (!bytes) {
    return bytes.error();
  }
  if (!command.quiet && command.output != kStandardStream) {
    std::printf("%s: %ux%u, %s, %zu bytes\n", command.output.c_str(), size->width, size->height,
                command.kind.c_str(), size_t{*bytes});
  }
  return {};
}

}  // namespace

void add_sample_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<SampleCommand>();
  command.footer(kSampleFooter);
  command.add_option("-o,--output", options->output, "The file to write (.png, .ppm, .tga), or -")
      ->required();
  command
      .add_option("--kind", options->kind,
                  "Kind of picture: photo, interface, sprite, normal-map, noise, constant")
      ->capture_default_str();
  command.add_option("--size", options->size, "Width x height in pixels")->capture_default_str();
  command.add_option("--seed", options->seed, "Another number makes another picture")
      ->capture_default_str();
  command.add_flag("-q,--quiet", options->quiet, "Print nothing but errors");
  command.callback([options, &exit_code] {
    const Status status = write_sample(*options);
    exit_code = status ? 0 : report_error(status.error());
  });
}

}  // namespace tessera::cli
