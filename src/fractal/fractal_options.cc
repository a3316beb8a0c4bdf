// The list of options of fractal images, and reading them.
#include "fractal/fractal_options.h"

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "codec/option_makers.h"

namespace tessera {
namespace {

// In the order of fractal::SearchKernel.
constexpr std::array<std::string_view, 3> kSearches = {"baseline", "scalar", "simd"};
constexpr std::array kKernels = {fractal::SearchKernel::kBaseline, fractal::SearchKernel::kScalar,
                                 fractal::SearchKernel::kSimd};

constexpr OptionDescriptor bits_per_pixel() {
  OptionDescriptor option =
      option::number("bpp", OptionKind::kNumber, 0, std::numeric_limits<double>::max(),
                     "The best quality within so many bits per pixel");
  option.above_least = true;
  return option;
}

constexpr OptionDescriptor search() {
  OptionDescriptor option;
  option.key = "search";
  option.kind = OptionKind::kChoice;
  option.choices = kSearches;
  option.what_choices_are = "a search";
  option.value_name = "NAME";
  option.help = "The paper's coder with this search: baseline, scalar or simd";
  return option;
}

constexpr std::array kEncodeOptions = {
    bits_per_pixel(),
    option::flag("pure", "Domains only, no DCT leaves"),
    option::flag("dct-only", "DCT leaves only, to compare with"),
    option::flag("grey", "Encode colour pictures as grey"),
    search(),
    option::number(
        "epsilon", OptionKind::kNumber, 0, std::numeric_limits<double>::max(),
        "Paper's coder: blocks with a larger mean squared error are split (default: 300)"),
    option::number("depth", OptionKind::kWhole, 1, 14,
                   "Paper's coder: depth of the quadtree (default: 7)"),
    option::flag("half-turns", "Paper's coder: no domains turned by 90 or 270 degrees"),
};

constexpr std::array kDecodeOptions = {
    option::number("iterations", OptionKind::kWhole, 0, 64,
                   "Passes over the image, 0 to 64 (default: as the file says)"),
    option::number("scale", OptionKind::kWhole, 1, 2, "2 decodes at twice the size (default: 1)"),
};

Result<fractal::EncodeSettings> read_paper_settings(const OptionReader& reader,
                                                    std::optional<float> quality) {
  if (quality || reader.number("bpp") || reader.flag("pure") || reader.flag("dct-only")) {
    return usage_error("--quality, --bpp, --pure and --dct-only do not go with --search");
  }
  fractal::PaperSettings paper;
  paper.kernel = kKernels[*reader.choice("search")];
  paper.epsilon = reader.number("epsilon").value_or(paper.epsilon);
  paper.depth = reader.whole("depth").value_or(paper.depth);
  paper.rotations =
      reader.flag("half-turns") ? fractal::RotationSet::kHalfTurns : fractal::RotationSet::kAll;
  fractal::EncodeSettings settings;
  settings.paper = paper;
  return settings;
}

Result<fractal::EncodeSettings> read_our_settings(const OptionReader& reader,
                                                  std::optional<float> quality) {
  if (reader.number("epsilon") || reader.whole("depth") || reader.flag("half-turns")) {
    return usage_error("--epsilon, --depth and --half-turns need --search");
  }
  fractal::EncodeSettings settings;
  settings.bits_per_pixel = reader.number("bpp");
  if (quality && settings.bits_per_pixel) {
    return usage_error("either --quality or --bpp, not both");
  }
  const bool pure = reader.flag("pure");
  const bool dct_only = reader.flag("dct-only");
  if (pure && dct_only) {
    return usage_error("either --pure or --dct-only, not both");
  }
  if (quality && !(*quality >= 1 && *quality <= 100)) {
    return usage_error("the quality of fractal images is 1 to 100");
  }
  settings.quality =
      quality ? static_cast<uint32_t>(std::lround(*quality)) : fractal::kDefaultQuality;
  settings.choice = pure       ? fractal::LeafChoice::kPure
                    : dct_only ? fractal::LeafChoice::kDctOnly
                               : fractal::LeafChoice::kHybrid;
  return settings;
}

}  // namespace

std::span<const OptionDescriptor> fractal_encode_options() {
  return kEncodeOptions;
}

std::span<const OptionDescriptor> fractal_decode_options() {
  return kDecodeOptions;
}

Result<FractalOptions> read_fractal_options(const OptionList& list, std::optional<float> quality) {
  const OptionReader reader(list, kEncodeOptions);
  FractalOptions options;
  TESSERA_ASSIGN_OR_RETURN(options.settings, reader.choice("search")
                                                 ? read_paper_settings(reader, quality)
                                                 : read_our_settings(reader, quality));
  options.grey = reader.flag("grey");
  return options;
}

fractal::DecodeSettings read_fractal_decode_options(const OptionList& list) {
  const OptionReader reader(list, kDecodeOptions);
  return {reader.whole("iterations"), reader.whole("scale").value_or(1)};
}

}  // namespace tessera
