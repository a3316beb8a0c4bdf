// Reads swizzles such as "bgra" and applies them.
#include "image/swizzle.h"

#include <optional>
#include <string>

#include "image/sample.h"

namespace tessera {
namespace {

std::optional<Component> parse_component(char letter) {
  switch (letter) {
    case 'r':
    case 'R':
      return Component::kRed;
    case 'g':
    case 'G':
      return Component::kGreen;
    case 'b':
    case 'B':
      return Component::kBlue;
    case 'a':
    case 'A':
      return Component::kAlpha;
    case '0':
      return Component::kZero;
    case '1':
      return Component::kOne;
    default:
      return std::nullopt;
  }
}

template <typename Sample, uint32_t kChannels>
void swizzle_rows(const ImageView& source, const Swizzle& swizzle, const MutableImageView& target) {
  using Storage = typename Sample::Storage;
  std::array<size_t, 4> pick = {};
  for (size_t i = 0; i < pick.size(); ++i) {
    pick[i] = static_cast<size_t>(swizzle.components[i]);
  }
  for (uint32_t slice = 0; slice < source.info.slices(); ++slice) {
    for (uint32_t y = 0; y < source.info.height; ++y) {
      const auto* from = source.row<Storage>(y, slice);
      auto* to = target.row<Storage>(y, slice);
      for (size_t x = 0; x < source.info.width; ++x) {
        const Rgba<Storage> pixel = load_rgba<Sample, kChannels>(from + kChannels * x);
        // In the order of Component.
        const std::array<Storage, 6> values = {pixel.r, pixel.g,    pixel.b,
                                               pixel.a, Storage{0}, Sample::kOne};
        for (size_t i = 0; i < pick.size(); ++i) {
          to[4 * x + i] = values[pick[i]];
        }
      }
    }
  }
}

}  // namespace

Result<Swizzle> parse_swizzle(std::string_view text) {
  Swizzle swizzle;
  bool valid = text.size() == swizzle.components.size();
  for (size_t i = 0; valid && i < text.size(); ++i) {
    const std::optional<Component> component = parse_component(text[i]);
    valid = component.has_value();
    if (valid) {
      swizzle.components[i] = *component;
    }
  }
  if (!valid) {
    return usage_error("the swizzle \"" + std::string(text) +
                       "\" must be four of the letters r, g, b, a, 0 and 1");
  }
  return swizzle;
}

std::string swizzle_text(const Swizzle& swizzle) {
  constexpr std::string_view kLetters = "rgba01";  // in the order of Component
  std::string text;
  for (const Component component : swizzle.components) {
    text += kLetters[static_cast<size_t>(component)];
  }
  return text;
}

Result<Image> apply_swizzle(const ImageView& source, const Swizzle& swizzle) {
  ImageInfo info = source.info;
  if (info.channels >= 1 && info.channels < 4) {  // other counts are refused below
    info.channels = 4;
  }
  TESSERA_ASSIGN_OR_RETURN(Image swizzled, Image::create(info));
  with_sample_type(info.sample, [&](auto sample) {
    with_channel_count(source.info.channels, [&](auto channels) {
      swizzle_rows<decltype(sample), channels.kValue>(source, swizzle, swizzled.mutable_view());
    });
  });
  return swizzled;
}

}  // namespace tessera
