#include "astc_options.h"

#include <algorithm>

namespace tessera::cli {

void add_astc_options(CLI::App& command, AstcEncodeOptions& options) {
  const std::string group = "ASTC";
  command
      .add_option("--quality", options.quality,
                  "0 to 100, instead of a preset: 0 is realtime, 25 fast, 50 medium, 75 thorough, "
                  "100 exhaustive")
      ->check(CLI::Range(0.0F, 100.0F))
      ->group(group);
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
      .add_option("--channel-weights", options.channel_weights,
                  "What errors of red, green, blue and alpha count, such as 1,2,1,1")
      ->delimiter(',')
      ->expected(4)
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
  if (options.decode_mode != "float16" && options.decode_mode != "unorm8") {
    return usage_error("'" + options.decode_mode + "' is not a decode mode (float16, unorm8)");
  }
  astc.unorm8 = options.decode_mode == "unorm8";
  astc.quality = options.quality;
  astc.endpoints = options.endpoints;
  astc.partitions = options.partitions;
  astc.alpha_weight = options.alpha_weight;
  if (!options.channel_weights.empty()) {
    std::copy_n(options.channel_weights.begin(), 4, astc.channel_weights.begin());
  } else if (options.normal_map) {
    // x is stored three times but counts once.
    astc.channel_weights = {1.0F / 3, 1.0F / 3, 1.0F / 3, 1.0F};
  }
  const bool any = astc.unorm8 || astc.quality || !astc.endpoints.empty() ||
                   !astc.partitions.empty() || astc.alpha_weight || options.normal_map ||
                   !options.channel_weights.empty();
  if (any && format != "astc") {
    return usage_error(
        "--quality, --decode-mode, --endpoints, --partitions, --channel-weights, --alpha-weight "
        "and --normal are options of astc");
  }
  return astc;
}

}  // namespace tessera::cli
