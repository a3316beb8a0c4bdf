#include "codec/bc1_options.h"

#include <charconv>

namespace tessera {
namespace {

Status set_number(const std::optional<uint32_t>& wanted, const char* what, uint32_t least,
                  uint32_t most, uint32_t& value) {
  if (!wanted) {
    return {};
  }
  if (*wanted < least || *wanted > most) {
    return usage_error(std::string(what) + " must be " + std::to_string(least) + " to " +
                       std::to_string(most) + ", not " + std::to_string(*wanted));
  }
  value = *wanted;
  return {};
}

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

Status set_numbers(const Bc1Options& options, bc1::Settings& settings) {
  TESSERA_RETURN_IF_ERROR(
      set_number(options.passes, "least-squares passes", 0, bc1::kMaxPasses, settings.passes));
  TESSERA_RETURN_IF_ERROR(
      set_number(options.starts, "starts", 1, bc1::kMaxStarts, settings.start_count));
  TESSERA_RETURN_IF_ERROR(set_number(options.cluster_keep, "kept splits of cluster fit", 1,
                                     bc1::kMaxClusterKeep, settings.cluster_keep));
  TESSERA_RETURN_IF_ERROR(
      set_number(options.sweeps, "sweeps", 0, bc1::kMaxSweeps, settings.descent_sweeps));
  TESSERA_RETURN_IF_ERROR(
      set_number(options.lspiro_steps, "LSpiro steps", 1, 3, settings.lspiro_steps));
  TESSERA_RETURN_IF_ERROR(set_number(options.lspiro_iterations, "LSpiro iterations", 1,
                                     bc1::kMaxPasses, settings.lspiro_iterations));
  TESSERA_RETURN_IF_ERROR(set_number(options.lspiro_radius, "the LSpiro radius", 1,
                                     bc1::kMaxLspiroRadius, settings.lspiro_radius));
  return set_number(options.alpha_threshold, "the alpha threshold", 1, 255,
                    settings.alpha_threshold);
}

}  // namespace

Result<bc1::Rounding> parse_bc1_decoder(std::string_view name) {
  if (name.empty()) {
    return bc1::Rounding::kIdeal;
  }
  const auto rounding = bc1::parse_rounding(name);
  if (!rounding) {
    return usage_error("'" + std::string(name) + "' is not a decoder (ideal, nvidia, amd)");
  }
  return *rounding;
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
  TESSERA_RETURN_IF_ERROR(set_numbers(options, settings));
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
  if (options.passes) {
    settings.box_axis = false;
  }
  settings.three_colors = options.three_colors.value_or(settings.three_colors);
  settings.punch_through = options.alpha_threshold.has_value();
  settings.dark_transparent = options.dark_transparent;
  if (!options.weights.empty()) {
    TESSERA_ASSIGN_OR_RETURN(settings.weights, parse_weights(options.weights));
  }
  TESSERA_ASSIGN_OR_RETURN(settings.rounding, parse_bc1_decoder(options.decoder));
  return settings;
}

}  // namespace tessera
