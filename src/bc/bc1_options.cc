// The list of BC1's options, and the settings of its encoder that follow from them.
#include "bc/bc1_options.h"

#include <array>
#include <charconv>

#include "codec/option_makers.h"

namespace tessera {
namespace {

constexpr OptionDescriptor whole(std::string_view key, uint32_t least, uint32_t most,
                                 std::string_view help) {
  return option::number(key, OptionKind::kWhole, least, most, help);
}

constexpr OptionDescriptor decoder(std::string_view help) {
  return option::choice("decoder", bc1::kRoundingNames, "a decoder", help);
}

constexpr uint32_t kDefaultAlphaThreshold = 128;

constexpr std::array kEncodeOptions = {
    whole("passes", 0, bc1::kMaxPasses, "Least-squares passes, 0 to 64"),
    whole("starts", 1, bc1::kMaxStarts, "Method starts: guesses, 1 to 20"),
    whole("cluster-keep", 1, bc1::kMaxClusterKeep, "Method cluster: splits solved exactly, 1 to 8"),
    whole("sweeps", 0, bc1::kMaxSweeps, "Sweeps of one-step moves of the ends, 0 to 64"),
    whole("lspiro-steps", 1, 3, "Method lspiro: the first 1, 2 or 3 steps"),
    whole("lspiro-iterations", 1, bc1::kMaxPasses, "Method lspiro: iterations of step 2, 1 to 64"),
    whole("lspiro-radius", 1, bc1::kMaxLspiroRadius, "Method lspiro: the radius of step 3, 1 to 3"),
    option::flag("three-colors", "Try blocks of three colours, too"),
    option::flag("punch-through", "Keep alpha as opaque or transparent"),
    whole("alpha-threshold", 1, 255,
          "Texels with less alpha are transparent, 1 to 255 (default: 128)"),
    option::flag("dark-transparent", "Dark texels may become transparent black (changes alpha)"),
    decoder("Whose rounding to aim at: ideal, nvidia or amd (default: ideal)"),
    option::number(
        "rdo", OptionKind::kNumber, 0, 10000,
        "Make files that zstd or deflate compress further: the error that a saved bit may "
        "cost, such as 5 (hardly seen), 20 or 80 (small); bc1: squared, of 8-bit samples; "
        "astc: in percent of a texel's mean squared error"),
    option::number("rdo-size", OptionKind::kNumber, 10, 100,
                   "Choose the number of --rdo so that zstd leaves about so many percent of the "
                   "bytes that it would leave without, 10 to 100"),
};

constexpr std::array kDecodeOptions = {
    decoder("Round as ideal, nvidia or amd decoders do (default: ideal)"),
};

// "3,6,1"
Result<std::array<uint32_t, 3>> parse_weights(const std::string& text) {
  const Error error = usage_error("'" + text +
                                  "' is not three channel weights of 0 to 16, such as 3,6,1, with "
                                  "at least one above 0");
  std::array<uint32_t, 3> weights = {};
  const char* at = text.data();
  const char* end = text.data() + text.size();
  for (size_t c = 0; c < 3; ++c) {
    const auto [next, problem] = std::from_chars(at, end, weights[c]);
    const bool last = c == 2;
    if (problem != std::errc() || weights[c] > bc1::kMaxChannelWeight || (next == end) != last ||
        (!last && *next != ',')) {
      return error;
    }
    at = next + 1;
  }
  if (weights == std::array<uint32_t, 3>{0, 0, 0}) {
    return error;
  }
  return weights;
}

Status check_method_fits(const bc1::Settings& settings, const Bc1Options& options) {
  if (settings.method != bc1::Method::kLspiro &&
      (options.lspiro_steps || options.lspiro_iterations || options.lspiro_radius)) {
    return usage_error("the LSpiro options need --method lspiro");
  }
  if (settings.method != bc1::Method::kStarts && options.starts) {
    return usage_error("--starts needs the method starts");
  }
  if (settings.method != bc1::Method::kCluster && options.cluster_keep) {
    return usage_error("--cluster-keep needs --method cluster");
  }
  return {};
}

void set_numbers(const Bc1Options& options, bc1::Settings& settings) {
  const auto set = [](const std::optional<uint32_t>& wanted, uint32_t& value) {
    value = wanted.value_or(value);
  };
  set(options.passes, settings.passes);
  set(options.starts, settings.start_count);
  set(options.cluster_keep, settings.cluster_keep);
  set(options.sweeps, settings.descent_sweeps);
  set(options.lspiro_steps, settings.lspiro_steps);
  set(options.lspiro_iterations, settings.lspiro_iterations);
  set(options.lspiro_radius, settings.lspiro_radius);
  set(options.alpha_threshold, settings.alpha_threshold);
  if (options.passes) {
    settings.box_axis = false;
  }
}

}  // namespace

std::span<const OptionDescriptor> bc1_encode_options() {
  return kEncodeOptions;
}

std::span<const OptionDescriptor> bc1_decode_options() {
  return kDecodeOptions;
}

Result<Bc1Options> read_bc1_options(const OptionList& list) {
  const OptionReader reader(list, kEncodeOptions);
  Bc1Options options;
  options.passes = reader.whole("passes");
  options.starts = reader.whole("starts");
  options.cluster_keep = reader.whole("cluster-keep");
  options.sweeps = reader.whole("sweeps");
  options.lspiro_steps = reader.whole("lspiro-steps");
  options.lspiro_iterations = reader.whole("lspiro-iterations");
  options.lspiro_radius = reader.whole("lspiro-radius");
  options.three_colors = reader.flag("three-colors");
  options.dark_transparent = reader.flag("dark-transparent");
  const auto threshold = reader.whole("alpha-threshold");
  if (reader.flag("punch-through")) {
    options.alpha_threshold = threshold.value_or(kDefaultAlphaThreshold);
  } else if (threshold) {
    return usage_error("--alpha-threshold needs --punch-through");
  }
  options.rounding = read_bc1_rounding(list);
  const auto lambda = reader.number("rdo");
  const auto percent = reader.number("rdo-size");
  if (lambda && percent) {
    return usage_error("--rdo and --rdo-size exclude each other: a size chooses the number itself");
  }
  options.rate.lambda = static_cast<float>(lambda.value_or(0));
  options.rate.size = static_cast<float>(percent.value_or(100) / 100);
  return options;
}

bc1::Rounding read_bc1_rounding(const OptionList& list) {
  return static_cast<bc1::Rounding>(
      OptionReader(list, kDecodeOptions).choice("decoder").value_or(0));
}

Result<bc1::Settings> make_bc1_settings(Preset preset, std::string_view method,
                                        const Bc1Options& options) {
  bc1::Settings settings = bc1::preset_settings(preset);
  if (!method.empty()) {
    const auto parsed = bc1::parse_method(method);
    if (!parsed) {
      return unsupported_error(
          "bc1 has no method '" + std::string(method) +
          "' (there are: bounds, farthest, luma, range, starts, cluster, lspiro)");
    }
    settings = bc1::method_settings(*parsed);
  }
  set_numbers(options, settings);
  TESSERA_RETURN_IF_ERROR(check_method_fits(settings, options));
  settings.three_colors = options.three_colors || settings.three_colors;
  settings.punch_through = options.alpha_threshold.has_value();
  settings.dark_transparent = options.dark_transparent;
  settings.rounding = options.rounding;
  settings.rate = options.rate;
  if (options.weights == "luma") {
    settings.weights = {3, 10, 1};  // 0.2126, 0.7152 and 0.0722 by 14
  } else if (!options.weights.empty()) {
    TESSERA_ASSIGN_OR_RETURN(settings.weights, parse_weights(options.weights));
  }
  return settings;
}

}  // namespace tessera
