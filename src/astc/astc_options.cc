// The list of ASTC's options, and reading them.
#include "astc/astc_options.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "base/decimal.h"
#include "codec/option_makers.h"
#include "codec/tone_mapping.h"

namespace tessera {
namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 4> kEndpointStarts = {"pca", "bounds", "minmax",
                                                             "accumulate"};
constexpr std::array<std::string_view, 5> kPartitionSearches = {"off", "moments", "kmeans",
                                                                "kmeans++", "table"};
constexpr std::array<std::string_view, 2> kDecodeModes = {"float16", "unorm8"};

constexpr std::array kEncodeOptions = {
    option::choice("decode-mode", kDecodeModes, "a decode mode",
                   "What decodes the texture, for ldr: float16 (the standard's default) or unorm8"),
    option::choice("endpoints", kEndpointStarts, "a way to find endpoints",
                   "Where fits start: pca, bounds, minmax or accumulate (default: pca)"),
    option::choice("partitions", kPartitionSearches, "a way to find partitions",
                   "How patterns are found: off, moments, kmeans, kmeans++ or table (default: the "
                   "preset's)"),
    option::flag("alpha-weight", "Errors of colours count by the texel's alpha"),
    option::flag("rgbm",
                 "Colours are times alpha (RGBM): errors count by what the product shows of them"),
    option::flag("perceptual",
                 "Channels count as bright as eyes see them, as with "
                 "--channel-weights luma"),
    option::number(
        "rdo", OptionKind::kNumber, 0, 10000,
        "Make files that zstd or deflate compress further: the error that a saved bit may "
        "cost, such as 5 (hardly seen), 20 or 80 (small); bc1: squared, of 8-bit samples; "
        "astc: in percent of a texel's mean squared error"),
    option::number("rdo-size", OptionKind::kNumber, 10, 100,
                   "Choose the number of --rdo so that zstd leaves about so many percent of the "
                   "bytes that it would leave without"),
};

constexpr std::array kDecodeOptions = {
    option::choice("decode-mode", kDecodeModes, "a decode mode",
                   "For ldr: interpolate as float16 (the standard's default) or unorm8"),
    option::tone_map("For hdr, into pictures of integers: clip or reinhard (linear light to sRGB; "
                     "default: samples are clipped as they are)"),
    option::exposure(),
};

void skip_spaces(std::string_view& text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t")));
}

// Numbers with commas between them; how many there are, or 0 where the text is something else.
size_t parse_list(std::string_view text, std::span<float> values) {
  for (size_t count = 0; count < values.size();) {
    skip_spaces(text);
    const auto value = take_float(text);
    if (!value) {
      return 0;
    }
    values[count++] = *value;
    skip_spaces(text);
    if (text.empty()) {
      return count;
    }
    if (text.front() != ',') {
      return 0;
    }
    text.remove_prefix(1);
  }
  return 0;
}

Result<std::array<float, 4>> parse_weights(const std::string& text) {
  std::array<float, 4> weights = {1, 1, 1, 1};
  if (parse_list(text, weights) < 3) {
    return usage_error("'" + text + "' is not three or four channel weights, such as 1,2,1,1");
  }
  // A channel that does not count: so little that others always win, and enough to divide by.
  constexpr float kLeast = 0.001F;
  bool has_any = false;
  for (float& weight : weights) {
    if (weight != 0 && !(weight >= kLeast && weight <= 1000.0F)) {
      return usage_error("channel weights are 0, or numbers from 0.001 to 1000");
    }
    has_any |= weight > 0;
    weight = std::max(weight, kLeast);
  }
  if (!has_any) {
    return usage_error("at least one channel weight must be above 0");
  }
  return weights;
}

}  // namespace

std::span<const OptionDescriptor> astc_encode_options() {
  return kEncodeOptions;
}

std::span<const OptionDescriptor> astc_decode_options() {
  return kDecodeOptions;
}

AstcOptions read_astc_options(const OptionList& list) {
  const OptionReader reader(list, kEncodeOptions);
  AstcOptions options;
  options.unorm8 = reader.choice("decode-mode") == 1;
  if (const auto index = reader.choice("endpoints")) {
    options.endpoints = static_cast<astc::EndpointStart>(*index);
  }
  if (const auto index = reader.choice("partitions")) {
    options.partitions = static_cast<astc::PartitionSearch>(*index);
  }
  options.perceptual = reader.flag("perceptual");
  options.rgbm = reader.flag("rgbm");
  options.alpha_weight = reader.flag("alpha-weight") || options.rgbm;
  options.rdo = static_cast<float>(reader.number("rdo").value_or(0));
  options.rdo_size = static_cast<float>(reader.number("rdo-size").value_or(0));
  return options;
}

bool read_astc_unorm8(const OptionList& list) {
  return OptionReader(list, kDecodeOptions).choice("decode-mode") == 1;
}

Result<std::optional<ToneMap>> read_astc_tone_map(const OptionList& list) {
  return read_tone_map(OptionReader(list, kDecodeOptions));
}

Result<std::array<float, 4>> read_astc_weights(const std::string& text, bool normal_map,
                                               const AstcOptions& options) {
  // An error of the multiplier is one of three channels that are mostly bright. 2 to 10 were tried
  // (docs/performance.md).
  constexpr float kOfMultiplier = 4;
  const bool has_own = options.perceptual || options.rgbm;
  if (has_own && (normal_map || !text.empty())) {
    return usage_error(std::string(options.rgbm ? "--rgbm" : "--perceptual") +
                       " says what channels count: " +
                       (normal_map ? "normal maps have" : "--channel-weights has") +
                       " another way, so only one of them can be given");
  }
  if (text == "luma" || options.perceptual) {
    // 3 · (0.2126, 0.7152, 0.0722)
    return std::array<float, 4>{0.638F, 2.146F, 0.216F, options.rgbm ? kOfMultiplier : 1};
  }
  if (!text.empty()) {
    return parse_weights(text);
  }
  // x of a normal is stored three times but counts once.
  return normal_map ? std::array<float, 4>{1.0F / 3, 1.0F / 3, 1.0F / 3, 1.0F}
                    : std::array<float, 4>{1, 1, 1, options.rgbm ? kOfMultiplier : 1};
}

}  // namespace tessera
