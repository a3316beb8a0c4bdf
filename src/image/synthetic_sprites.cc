// A sheet of sprites on transparency, one a cell: glows, smoke, coins, stars, gems, hearts, leaves.
// Some edges are soft, some are anti-aliased, some are hard; what lies under alpha 0 is arbitrary,
// as painting programs leave it.
#include <algorithm>
#include <array>
#include <cmath>

#include "image/synthetic_color.h"
#include "image/synthetic_noise.h"
#include "image/synthetic_pictures.h"

namespace tessera {
namespace {

using Color = PaintColor;

struct Paint {
  Color color;
  float alpha;
};

// What a painter knows of a pixel: its place in the cell (-1…1, y down) and the size of a pixel.
struct Spot {
  float x, y, pixel;
  uint32_t seed;  // of the sprite
  Color main, second;
};

// 1 inside (distance < 0), 0 outside, with a border of one pixel.
float coverage(const Spot& spot, float distance) {
  return clamp_unit(0.5f - distance / spot.pixel);
}

float length(float x, float y) {
  return std::sqrt(x * x + y * y);
}

Paint paint_glow(const Spot& spot) {
  const float distance = length(spot.x, spot.y);
  const float fall = clamp_unit(1.0f - distance / 0.95f);
  return {mix(spot.main, Color{1.0f, 1.0f, 0.9f}, fall * fall * fall), fall * fall};
}

Paint paint_smoke(const Spot& spot) {
  const float noise = fractal_noise(spot.x * 2.0f, spot.y * 2.0f, spot.seed, 5, 0.55f);
  const float distance = length(spot.x, spot.y * 1.15f);
  const float alpha = clamp_unit((0.85f - distance) * 1.6f + noise * 0.8f) *
                      smooth_step(0.98f, 0.80f, std::max(std::abs(spot.x), std::abs(spot.y)));
  const float light = clamp_unit(0.6f + 0.7f * noise - 0.3f * spot.y);
  return {mix(Color{0.25f, 0.24f, 0.28f}, Color{0.92f, 0.90f, 0.88f}, light), 0.9f * alpha};
}

Paint paint_coin(const Spot& spot) {
  const float distance = length(spot.x, spot.y);
  const float light = clamp_unit(0.55f - 0.35f * (spot.x + spot.y));
  Color color = mix(Color{0.62f, 0.40f, 0.08f}, Color{1.0f, 0.88f, 0.42f}, light);
  const float rim = coverage(spot, std::abs(distance - 0.72f) - 0.05f);
  color = mix(color, Color{0.48f, 0.29f, 0.05f}, rim);
  const float bar = coverage(spot, std::max(std::abs(spot.x) - 0.12f, std::abs(spot.y) - 0.42f));
  color = mix(color, Color{0.52f, 0.32f, 0.06f}, bar);
  return {color, coverage(spot, distance - 0.88f)};
}

// Five points; the alpha is 0 or 1, with no step between.
Paint paint_star(const Spot& spot) {
  // Normals of the five sides of the star's lines, every 72 degrees.
  constexpr std::array<std::array<float, 2>, 5> kNormals = {{{0.0f, 1.0f},
                                                             {0.95106f, 0.30902f},
                                                             {0.58779f, -0.80902f},
                                                             {-0.58779f, -0.80902f},
                                                             {-0.95106f, 0.30902f}}};
  int inside = 0;
  float least = 10.0f;
  for (const auto& normal : kNormals) {
    const float distance = 0.30f - (normal[0] * spot.x + normal[1] * spot.y);
    inside += distance > 0.0f ? 1 : 0;
    least = std::min(least, std::abs(distance));
  }
  const bool covered = inside >= 4;
  const Color color = least < 0.06f ? spot.second : spot.main;
  const float light = 0.75f + 0.25f * clamp_unit(-spot.y);
  return {color * light, covered ? 1.0f : 0.0f};
}

Paint paint_gem(const Spot& spot) {
  const float across = std::abs(spot.x);
  const float crown = std::max(across + 0.45f * (-spot.y) - 0.92f, -spot.y - 0.58f);
  const float pavilion = across * 0.78f + spot.y * 0.72f - 0.60f;
  const float distance = std::max(spot.y < -0.2f ? crown : -1.0f, pavilion);
  // Facets: each has its own brightness.
  const int column = static_cast<int>((spot.x + 1.0f) * 2.5f + (spot.y > -0.2f ? 0.5f : 0.0f));
  const auto facet = static_cast<uint32_t>(column * 2 + (spot.y > -0.2f ? 1 : 0));
  const float light = 0.45f + 0.6f * hash_unit(facet, 3, spot.seed);
  const Color color = mix(spot.main * light, Color{1.0f, 1.0f, 1.0f}, 0.25f * light);
  return {color, 0.92f * coverage(spot, distance)};
}

Paint paint_heart(const Spot& spot) {
  const float x = std::abs(spot.x) * 1.15f;
  const float y = spot.y * 1.15f + 0.12f;
  const float lobes = length(x - 0.42f, y + 0.28f) - 0.46f;
  const float tip = std::max({(x + y - 0.80f) * 0.7071f, -y - 0.28f, x - 0.88f});
  const float distance = std::min(lobes, tip);
  const float shine = smooth_step(0.22f, 0.05f, length(spot.x + 0.38f, spot.y + 0.42f));
  const Color body =
      mix(Color{0.90f, 0.10f, 0.22f}, Color{0.50f, 0.02f, 0.14f}, clamp_unit(0.5f + 0.6f * spot.y));
  return {mix(body, Color{1.0f, 0.85f, 0.85f}, shine), coverage(spot, distance)};
}

// Hard-edged and textured, as cut-out foliage is.
Paint paint_leaf(const Spot& spot) {
  const float bend = 0.25f * (1.0f - spot.y * spot.y);
  const float x = spot.x - bend + 0.12f;
  const float half_width = 0.52f * (1.0f - spot.y * spot.y) * (0.85f - 0.25f * spot.y);
  const float teeth = 0.05f * std::abs(gradient_noise(spot.y * 14.0f, 1.0f, spot.seed));
  const bool covered = std::abs(x) < half_width - teeth && std::abs(spot.y) < 0.95f;
  const float vein_place = (spot.y + std::abs(x) * 0.8f) * 5.0f + 20.0f;
  const float in_vein = vein_place - static_cast<float>(static_cast<int>(vein_place));
  const bool vein = std::abs(x) < 0.03f || in_vein < 0.10f;
  const float noise = fractal_noise(spot.x * 6.0f, spot.y * 6.0f, spot.seed + 1, 4, 0.6f);
  const Color flesh =
      mix(Color{0.12f, 0.34f, 0.08f}, Color{0.48f, 0.66f, 0.20f}, clamp_unit(0.5f + 0.6f * noise));
  return {vein ? Color{0.66f, 0.76f, 0.38f} : flesh, covered ? 1.0f : 0.0f};
}

Paint paint_ring(const Spot& spot) {
  const float distance = length(spot.x, spot.y);
  const float core = 0.015f / (0.015f + (distance - 0.62f) * (distance - 0.62f));
  const float fade = smooth_step(0.98f, 0.75f, distance);
  return {mix(spot.second, Color{1.0f, 1.0f, 1.0f}, core * core), core * fade};
}

using SpritePainter = Paint (*)(const Spot& spot);
constexpr std::array<SpritePainter, 8> kSpritePainters = {paint_glow,  paint_coin, paint_star,
                                                          paint_smoke, paint_gem,  paint_leaf,
                                                          paint_heart, paint_ring};

Color bright_color(Random& random) {
  const Color color = {random.unit(), random.unit(), random.unit()};
  const float largest = std::max({color.r, color.g, color.b, 0.05f});
  return color * (0.95f / largest);
}

// Under alpha 0: a cell is black, white, or keeps its colour with garbage in it.
Color hidden_color(const Spot& spot, uint32_t x, uint32_t y) {
  switch (hash_bits(spot.seed, 1, 77) % 4) {
    case 0:
      return {0.0f, 0.0f, 0.0f};
    case 1:
      return {1.0f, 1.0f, 1.0f};
    case 2:
      return spot.second;
    default:
      return {hash_unit(x, y, spot.seed), hash_unit(x, y, spot.seed + 1), spot.main.b};
  }
}

}  // namespace

void paint_sprites(const MutableImageView& image, uint32_t seed) {
  constexpr uint32_t kCell = 96;  // pixels per side; small images are one cell
  const uint32_t cell = std::clamp(std::min(image.info.width, image.info.height), 1u, kCell);
  for (uint32_t y = 0; y < image.info.height; ++y) {
    auto* row = image.row<uint8_t>(y);
    Spot spot = {};
    SpritePainter painter = paint_glow;
    for (uint32_t x = 0; x < image.info.width; ++x) {
      if (x % cell == 0) {
        const uint32_t sprite = hash_bits(x / cell, y / cell, seed);
        Random random(sprite);
        spot = {0.0f, 0.0f, 0.0f, sprite, bright_color(random), bright_color(random)};
        // Diagonals of kinds, so that a sheet of any width shows all.
        painter = kSpritePainters[(x / cell + 3 * (y / cell) + seed) % kSpritePainters.size()];
      }
      spot.pixel = 2.0f / static_cast<float>(cell);
      spot.x = (static_cast<float>(x % cell) + 0.5f) * spot.pixel - 1.0f;
      spot.y = (static_cast<float>(y % cell) + 0.5f) * spot.pixel - 1.0f;
      const Paint paint = painter(spot);
      const uint8_t alpha = to_byte(paint.alpha);
      const Color color = alpha == 0 ? hidden_color(spot, x, y) : paint.color;
      row[size_t{4} * x] = to_byte(color.r);
      row[size_t{4} * x + 1] = to_byte(color.g);
      row[size_t{4} * x + 2] = to_byte(color.b);
      row[size_t{4} * x + 3] = alpha;
    }
  }
}

}  // namespace tessera
