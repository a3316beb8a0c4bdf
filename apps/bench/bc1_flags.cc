// Options of the BC1 encoder.
#include "bc1_flags.h"

namespace tessera::cli {

void add_bc1_flags(CLI::App& command, Bc1Flags& flags) {
  constexpr const char* kGroup = "BC1";
  Bc1Options& options = flags.options;
  const auto number = [&](const char* name, std::optional<uint32_t>& value, const char* help) {
    command.add_option(name, value, help)->group(kGroup);
  };
  number("--passes", options.passes, "Least-squares passes, 0 to 64");
  number("--starts", options.starts, "Method starts: guesses, 1 to 20");
  number("--cluster-keep", options.cluster_keep, "Method cluster: splits solved exactly, 1 to 8");
  number("--sweeps", options.sweeps, "Sweeps of one-step moves of the ends, 0 to 64");
  number("--lspiro-steps", options.lspiro_steps, "Method lspiro: the first 1, 2 or 3 steps");
  number("--lspiro-iterations", options.lspiro_iterations, "Method lspiro: of step 2, 1 to 64");
  number("--lspiro-radius", options.lspiro_radius, "Method lspiro: of step 3, 1 to 3");
  command.add_flag("--three-colors", flags.three_colors, "Try blocks of three colours, too")
      ->group(kGroup);
  command.add_flag("--punch-through", flags.punch_through, "Keep alpha as opaque or transparent")
      ->group(kGroup);
  flags.threshold_option = command
                               .add_option("--alpha-threshold", flags.alpha_threshold,
                                           "Texels with less alpha are transparent, 1 to 255")
                               ->capture_default_str()
                               ->group(kGroup);
  command
      .add_flag("--dark-transparent", options.dark_transparent,
                "Dark texels may become transparent black (changes alpha)")
      ->group(kGroup);
  command
      .add_option("--decoder", options.decoder,
                  "Whose rounding to aim at: ideal, nvidia or amd (default: ideal)")
      ->group(kGroup);
}

Result<Bc1Options> read_bc1_flags(const Bc1Flags& flags, const Codec& codec) {
  Bc1Options options = flags.options;
  if (flags.three_colors) {
    options.three_colors = true;
  }
  if (flags.punch_through) {
    options.alpha_threshold = flags.alpha_threshold;
  } else if (flags.threshold_option != nullptr && flags.threshold_option->count() > 0) {
    return usage_error("--alpha-threshold needs --punch-through");
  }
  if (codec.format() != TextureFormat::kBc1 && options != Bc1Options()) {
    return usage_error("the BC1 options are for the format bc1, not " +
                       std::string(texture_format_name(codec.format())));
  }
  return options;
}

}  // namespace tessera::cli
