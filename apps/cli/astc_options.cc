#include "astc_options.h"

#include <array>
#include <locale>
#include <sstream>

namespace tessera::cli {
namespace {

// Three or four numbers, separated by commas; alpha counts 1 where it is not named.
Result<std::array<float, 4>> parse_weights(const std::string& text) {
  std::array<float, 4> weights = {1, 1, 1, 1};
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  size_t count = 0;
  for (char comma = ','; comma == ',' && count < weights.size(); ++count) {
    if (!(stream >> weights[count])) {
      count = 0;
      break;
    }
    comma = 0;
    stream >> comma;
  }
  if (count < 3 || !stream.eof()) {
    return usage_error("'" + text + "' is not three or four channel weights, such as 1,2,1,1");
  }
  return weights;
}

}  // namespace

void add_astc_options(CLI::App& command, AstcEncodeOptions& options) {
  const std::string group = "ASTC";
  command
      .add_option("--decode-mode", options.decode_mode,
                  "What decodes the texture, for ldr: float16 (the standard's default) or unorm8")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--endpoints", options.endpoints,
                  "Where fits start: pca, bounds, minmax or accumulate (default: pca)")
      ->group(group);
  command
      .add_option("--partitions", options.partitions,
                  "How patterns are found: off, moments, kmeans, kmeans++ or table (default: the "
                  "preset's)")
      ->group(group);
  command
      .add_flag("--alpha-weight", options.alpha_weight,
                "Errors of colours count by the texel's alpha")
      ->group(group);
  command
      .add_flag("--normal", options.normal_map,
                "A normal map: x is stored as luminance, y as alpha (z follows)")
      ->group(group);
}

Result<AstcOptions> parse_astc_options(const AstcEncodeOptions& options, std::string_view format) {
  AstcOptions astc;
  const bool any = options.decode_mode != "float16" || options.quality ||
                   !options.endpoints.empty() || !options.partitions.empty() ||
                   options.alpha_weight || options.normal_map;
  if (format != "astc") {
    return any ? Result<AstcOptions>(usage_error(
                     "--quality, --decode-mode, --endpoints, --partitions, --alpha-weight and "
                     "--normal are options of astc"))
               : astc;
  }
  if (options.decode_mode != "float16" && options.decode_mode != "unorm8") {
    return usage_error("'" + options.decode_mode + "' is not a decode mode (float16, unorm8)");
  }
  astc.unorm8 = options.decode_mode == "unorm8";
  astc.quality = options.quality;
  astc.endpoints = options.endpoints;
  astc.partitions = options.partitions;
  astc.alpha_weight = options.alpha_weight;
  if (!options.channel_weights.empty()) {
    TESSERA_ASSIGN_OR_RETURN(astc.channel_weights, parse_weights(options.channel_weights));
  } else if (options.normal_map) {
    // x is stored three times but counts once.
    astc.channel_weights = {1.0F / 3, 1.0F / 3, 1.0F / 3, 1.0F};
  }
  return astc;
}

}  // namespace tessera::cli
