// The kinds of pictures made by code: their names, and which function makes each.
#include "image/synthetic.h"

#include <array>
#include <new>

#include "image/synthetic_noise.h"
#include "image/synthetic_pictures.h"

namespace tessera {
namespace {

struct Painter {
  SyntheticKind kind;
  std::string_view name;
  uint32_t channels;
  ColorSpace color_space;
  void (*paint)(const MutableImageView& image, uint32_t seed);
};

// In the order of SyntheticKind.
constexpr std::array<Painter, 6> kPainters = {{
    {SyntheticKind::kPhoto, "photo", 3, ColorSpace::kSrgb, paint_photo},
    {SyntheticKind::kInterface, "interface", 3, ColorSpace::kSrgb, paint_interface},
    {SyntheticKind::kSprite, "sprite", 4, ColorSpace::kSrgb, paint_sprites},
    {SyntheticKind::kNormalMap, "normal-map", 3, ColorSpace::kLinear, paint_normal_map},
    {SyntheticKind::kNoise, "noise", 4, ColorSpace::kSrgb, paint_noise},
    {SyntheticKind::kConstant, "constant", 3, ColorSpace::kSrgb, paint_constant},
}};

}  // namespace

std::string_view synthetic_kind_name(SyntheticKind kind) {
  return kPainters[static_cast<size_t>(kind)].name;
}

std::optional<SyntheticKind> parse_synthetic_kind(std::string_view name) {
  for (const Painter& painter : kPainters) {
    if (painter.name == name) {
      return painter.kind;
    }
  }
  return std::nullopt;
}

Result<Image> make_synthetic_image(SyntheticKind kind, uint32_t width, uint32_t height,
                                   uint32_t seed) {
  const Painter& painter = kPainters[static_cast<size_t>(kind)];
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.channels = painter.channels;
  info.color_space = painter.color_space;
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(info));
  try {
    painter.paint(image.mutable_view(), seed);
  } catch (const std::bad_alloc&) {
    return failed_error("not enough memory to paint a synthetic image");
  }
  return image;
}

void paint_noise(const MutableImageView& image, uint32_t seed) {
  for (uint32_t y = 0; y < image.info.height; ++y) {
    auto* row = image.row<uint8_t>(y);
    for (uint32_t x = 0; x < image.info.width; ++x) {
      const uint32_t bits = hash_bits(x, y, seed);
      for (uint32_t c = 0; c < 4; ++c) {
        row[size_t{4} * x + c] = static_cast<uint8_t>(bits >> (8 * c));
      }
    }
  }
}

void paint_constant(const MutableImageView& image, uint32_t seed) {
  const uint32_t bits = hash_bits(0, 0, seed);
  for (uint32_t y = 0; y < image.info.height; ++y) {
    auto* row = image.row<uint8_t>(y);
    for (uint32_t x = 0; x < image.info.width; ++x) {
      for (uint32_t c = 0; c < 3; ++c) {
        row[size_t{3} * x + c] = static_cast<uint8_t>(bits >> (8 * c));
      }
    }
  }
}

}  // namespace tessera
