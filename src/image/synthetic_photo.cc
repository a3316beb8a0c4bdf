// A landscape in evening light: sky and clouds, mountains in haze, a lake that mirrors them, trees,
// a meadow and balloons. To a block compressor it behaves like a photograph: large soft gradients,
// a spectrum that falls with frequency down to the pixel, correlated colours, edges both hard and
// soft, a little grain.
//
// Coordinates: u to the right and v down, in units of the picture's height; v = 0.5 is the middle.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "image/synthetic_color.h"
#include "image/synthetic_noise.h"
#include "image/synthetic_pictures.h"

namespace tessera {
namespace {

using Color = PaintColor;

constexpr float kShore = 0.635f;  // v of the far shore, where the mirror lies

constexpr Color kZenith = {0.20f, 0.40f, 0.70f};
constexpr Color kMidSky = {0.52f, 0.69f, 0.85f};
constexpr Color kHorizon = {0.97f, 0.80f, 0.64f};
constexpr Color kSunlight = {1.00f, 0.93f, 0.78f};

struct Balloon {
  float u, v, radius;
  Color main, stripe;
};

struct Tree {
  float u, top, height;
};

// A range of hills: its crest lies at v = base - amplitude·noise.
struct Range {
  float base, amplitude, frequency;
  Color lit, shaded;
  float haze;  // how much of it vanishes in the air, 0…1
};

constexpr std::array<Range, 3> kRanges = {{
    {0.52f, 0.24f, 1.3f, {0.76f, 0.64f, 0.60f}, {0.30f, 0.34f, 0.48f}, 0.24f},
    {0.585f, 0.14f, 2.3f, {0.58f, 0.54f, 0.38f}, {0.20f, 0.28f, 0.32f}, 0.17f},
    {0.625f, 0.07f, 3.7f, {0.44f, 0.47f, 0.22f}, {0.08f, 0.17f, 0.13f}, 0.06f},
}};

constexpr std::array<std::array<Color, 2>, 6> kBalloonColors = {{
    {{{0.86f, 0.20f, 0.16f}, {0.98f, 0.86f, 0.62f}}},
    {{{0.16f, 0.34f, 0.66f}, {0.96f, 0.76f, 0.22f}}},
    {{{0.94f, 0.56f, 0.14f}, {0.56f, 0.14f, 0.34f}}},
    {{{0.22f, 0.52f, 0.42f}, {0.94f, 0.92f, 0.82f}}},
    {{{0.56f, 0.24f, 0.58f}, {0.98f, 0.72f, 0.30f}}},
    {{{0.92f, 0.90f, 0.84f}, {0.84f, 0.26f, 0.22f}}},
}};

// The lines across the picture, as v at some u.
struct Lines {
  std::array<float, kRanges.size()> crests = {};
  float meadow = 0.0f;  // its far edge
};

class PhotoScene {
 public:
  PhotoScene(uint32_t width, uint32_t height, uint32_t seed);

  // x, y: the middle of a pixel.
  Color color_at(float x, float y) const;

 private:
  Lines make_lines(float u) const;
  Lines lines_at(float u) const;
  Color sky(float u, float v, int octaves) const;
  Color land(float u, float v, int octaves) const;
  Color range_surface(const Range& range, float u, float v, float crest, int octaves,
                      uint32_t seed) const;
  Color water(float u, float v) const;
  Color meadow(float u, float v, float edge) const;
  void add_flowers(float u, float v, Color& color) const;
  void add_tree(const Tree& tree, float u, float v, Color& color) const;
  void add_balloon(const Balloon& balloon, float u, float v, Color& color) const;
  Color balloon_cloth(const Balloon& balloon, float nx, float ny) const;

  // 1 well below the line v = `line`, 0 above, with a border of about one pixel.
  float below(float v, float line) const { return clamp_unit((v - line) / pixel_ + 0.5f); }

  uint32_t seed_;
  float pixel_;  // size of a pixel in units of u and v
  float top_;    // v of the upper edge
  int octaves_;  // until noise of one bump per unit reaches two pixels
  float sun_u_, sun_v_;
  std::vector<Balloon> balloons_;
  std::vector<Tree> trees_;
  std::vector<Lines> lines_;  // at each border between two columns
};

PhotoScene::PhotoScene(uint32_t width, uint32_t height, uint32_t seed) : seed_(seed * 7919u + 11u) {
  // Very wide pictures show a band of the scene instead of hundreds of mountains.
  const uint32_t unit = std::max({height, width / 8, 1u});
  pixel_ = 1.0f / static_cast<float>(unit);
  top_ = 0.5f - 0.5f * static_cast<float>(height) * pixel_;
  octaves_ = std::max(1, static_cast<int>(std::bit_width(unit)) - 2);
  const float aspect = static_cast<float>(width) * pixel_;
  Random random(seed_);
  sun_u_ = aspect * random.between(0.62f, 0.74f);
  sun_v_ = random.between(0.33f, 0.38f);
  const uint32_t first_colors = random.bits();
  constexpr std::array<Balloon, 3> kPlaces = {{
      {0.25f, 0.30f, 0.125f, {}, {}},
      {0.49f, 0.17f, 0.070f, {}, {}},
      {0.86f, 0.21f, 0.048f, {}, {}},
  }};
  for (size_t i = 0; i < kPlaces.size(); ++i) {
    const auto& colors = kBalloonColors[(first_colors + i) % kBalloonColors.size()];
    balloons_.push_back({aspect * kPlaces[i].u + random.between(-0.05f, 0.05f),
                         kPlaces[i].v + random.between(-0.03f, 0.03f), kPlaces[i].radius, colors[0],
                         colors[1]});
  }
  for (int i = 0; i < 11; ++i) {
    const bool at_left = i < 5;
    const float place = random.unit();
    const float u = at_left ? aspect * 0.19f * place * place : aspect * (1.0f - 0.26f * place);
    const float height_of_tree = random.between(0.16f, 0.34f) * (at_left ? 1.0f : 0.75f);
    trees_.push_back({u, random.between(0.86f, 0.90f) - height_of_tree, height_of_tree});
  }
  for (uint32_t column = 0; column <= width; ++column) {
    lines_.push_back(make_lines(static_cast<float>(column) * pixel_));
  }
}

Color PhotoScene::color_at(float x, float y) const {
  const float u = x * pixel_;
  const float v = top_ + y * pixel_;
  const float edge = lines_at(u).meadow;
  const float meadow_part = below(v, edge);
  Color color = {0.0f, 0.0f, 0.0f};
  if (meadow_part < 1.0f) {
    color = v > kShore ? water(u, v) : land(u, v, octaves_);
    for (const Balloon& balloon : balloons_) {
      add_balloon(balloon, u, v, color);
    }
  }
  if (meadow_part > 0.0f) {
    color = mix(color, meadow(u, v, edge), meadow_part);
  }
  for (const Tree& tree : trees_) {
    add_tree(tree, u, v, color);
  }
  return color;
}

Lines PhotoScene::make_lines(float u) const {
  Lines lines;
  for (size_t i = 0; i < kRanges.size(); ++i) {
    const Range& range = kRanges[i];
    const uint32_t seed = seed_ + 31u * (1u + static_cast<uint32_t>(i));
    const float at = u * range.frequency + 7.0f;
    const float noise = i == 0 ? ridged_noise(at, 1.0f, seed, octaves_, 0.5f)
                               : fractal_noise(at, 1.0f, seed, octaves_, 0.48f);
    lines.crests[i] = range.base - range.amplitude * (0.35f + noise);
  }
  lines.meadow = 0.845f + 0.055f * fractal_noise(u * 1.3f, 3.0f, seed_ + 1, 4) -
                 0.012f * std::abs(fractal_noise(u * 60.0f, 9.0f, seed_ + 2, 3));
  return lines;
}

Lines PhotoScene::lines_at(float u) const {
  const float column = std::clamp(u / pixel_, 0.0f, static_cast<float>(lines_.size() - 2));
  const auto index = static_cast<size_t>(column);
  const float t = column - static_cast<float>(index);
  Lines lines;
  for (size_t i = 0; i < kRanges.size(); ++i) {
    lines.crests[i] = mix(lines_[index].crests[i], lines_[index + 1].crests[i], t);
  }
  lines.meadow = mix(lines_[index].meadow, lines_[index + 1].meadow, t);
  return lines;
}

Color PhotoScene::sky(float u, float v, int octaves) const {
  const Color upper = mix(kZenith, kMidSky, smooth_step(-0.1f, 0.38f, v));
  Color color = mix(upper, kHorizon, smooth_step(0.18f, 0.58f, v));
  const float du = u - sun_u_;
  const float dv = v - sun_v_;
  const float distance_squared = du * du + dv * dv;
  const float glow = 0.02f / (0.02f + distance_squared);
  color = mix(color, kSunlight, 0.75f * glow);
  const float disc = smooth_step(0.043f, 0.039f, std::sqrt(distance_squared));
  color = mix(color, Color{1.0f, 0.98f, 0.90f}, disc);

  const int cloud_octaves = std::min(octaves, 8);
  const float cloud_u = u * 1.7f + 40.0f;
  const float cloud_v = v * 4.6f;
  const float density = fractal_noise(cloud_u, cloud_v, seed_ + 20, cloud_octaves);
  const float cover = smooth_step(-0.02f, 0.42f, density) * smooth_step(0.60f, 0.30f, v) * 0.92f;
  if (cover > 0.0f) {
    // Thicker towards the sun than here: in shadow.
    const float towards_sun =
        fractal_noise(cloud_u + 0.16f, cloud_v + 0.10f, seed_ + 20, std::min(cloud_octaves, 5));
    const float light = clamp_unit(0.55f + 1.6f * (density - towards_sun));
    const Color cloud = mix(Color{0.62f, 0.62f, 0.72f}, Color{1.0f, 0.95f, 0.88f}, light);
    color = mix(color, mix(cloud, kSunlight, 0.5f * glow), cover);
  }
  return color;
}

// The mountains, and the sky above them.
Color PhotoScene::land(float u, float v, int octaves) const {
  const std::array<float, kRanges.size()> crests = lines_at(u).crests;
  float nearest_part = 0.0f;
  for (const float crest : crests) {
    nearest_part = std::max(nearest_part, below(v, crest));
  }
  Color color = nearest_part < 1.0f ? sky(u, v, octaves) : kHorizon;
  for (size_t i = 0; i < kRanges.size(); ++i) {
    const float part = below(v, crests[i]);
    const bool hidden = i + 1 < kRanges.size() && below(v, crests[i + 1]) >= 1.0f;
    if (part > 0.0f && !hidden) {
      const Color surface = range_surface(kRanges[i], u, v, crests[i], octaves,
                                          seed_ + 100u + static_cast<uint32_t>(i) * 7u);
      color = mix(color, surface, part);
    }
  }
  return color;
}

Color PhotoScene::range_surface(const Range& range, float u, float v, float crest, int octaves,
                                uint32_t seed) const {
  const float scale = 2.4f * range.frequency;
  const int detail = std::clamp(octaves - 2, 1, 7);
  // Ribs run down from the crest, so the noise is coarser along v.
  const float here = ridged_noise(u * scale, v * scale * 0.8f, seed, detail, 0.6f);
  const float beside =
      ridged_noise(u * scale + 0.09f, v * scale * 0.8f - 0.05f, seed, detail, 0.6f);
  const float light = clamp_unit(0.42f + 2.1f * (here - beside) + 0.12f * here);
  Color color = mix(range.shaded, range.lit, light);
  const float depth = v - crest;
  if (&range == &kRanges[0]) {  // snow on the high ones
    const float snow_line = 0.03f - 0.10f * here + 0.55f * (0.40f - crest);
    const float snow = smooth_step(0.012f, -0.012f, depth - snow_line);
    const Color snow_color = mix(Color{0.66f, 0.70f, 0.84f}, Color{1.0f, 0.95f, 0.90f}, light);
    color = mix(color, snow_color, 0.85f * snow);
  }
  const float mist = clamp_unit(range.haze * (1.0f + 0.6f * smooth_step(0.45f, kShore, v) +
                                              0.9f * smooth_step(0.05f, 0.20f, depth)));
  return mix(color, Color{0.86f, 0.78f, 0.76f}, mist);
}

Color PhotoScene::water(float u, float v) const {
  const float depth = v - kShore;  // grows towards the viewer
  const float stretch = 1.0f / (0.03f + depth);
  const float ripple = fractal_noise(u * 5.0f * (1.0f + 0.3f * stretch), v * 14.0f * stretch,
                                     seed_ + 50, std::min(octaves_, 5), 0.6f);
  const float mirrored_v = kShore - depth * 1.45f + ripple * (0.004f + 0.22f * depth);
  const float mirrored_u = u + ripple * 0.035f * depth;
  const Color mirrored =
      land(mirrored_u, std::min(mirrored_v, kShore - 0.001f), std::max(octaves_ - 2, 1));
  const Color deep = {0.07f, 0.20f, 0.28f};
  const float mirror = 0.80f - 0.9f * depth + 0.25f * ripple;
  Color color = mix(deep, mirrored, clamp_unit(mirror));
  const float off_sun = (u - sun_u_) / (0.02f + 0.35f * depth);
  const float path = 1.0f / (1.0f + off_sun * off_sun);
  const float glitter = smooth_step(0.18f, 0.55f, ripple + 0.35f * path) * path;
  color = mix(color, kSunlight, 0.85f * glitter);
  // A bright line of mist where land and mirror meet.
  return mix(color, Color{0.90f, 0.84f, 0.78f}, 0.35f * smooth_step(0.012f, 0.0f, depth));
}

Color PhotoScene::meadow(float u, float v, float edge) const {
  const float depth = clamp_unit((v - edge) * 5.0f);
  const float patches = fractal_noise(u * 3.0f, v * 9.0f, seed_ + 60, 4);
  // Blades: fine across, longer upwards.
  constexpr float kAcross = 95.0f;
  const float lean = 0.35f * gradient_noise(u * 7.0f, 0.5f, seed_ + 61);
  const float blades = fractal_noise((u + lean * (v - edge)) * kAcross, v * kAcross * 0.3f,
                                     seed_ + 62, std::clamp(octaves_ - 5, 1, 4), 0.7f);
  const float light = clamp_unit(0.42f + 0.45f * blades + 0.30f * patches - 0.10f * depth);
  const Color grass = mix(Color{0.11f, 0.20f, 0.07f}, Color{0.62f, 0.62f, 0.25f}, light);
  const Color dry = mix(Color{0.24f, 0.18f, 0.09f}, Color{0.82f, 0.70f, 0.38f}, light);
  Color color = mix(grass, dry, smooth_step(0.0f, 0.6f, patches));
  color = mix(color, kSunlight, 0.25f * smooth_step(0.02f, 0.0f, v - edge));
  add_flowers(u, v, color);
  return color;
}

// One flower a cell of a jittered grid, in most of the cells.
void PhotoScene::add_flowers(float u, float v, Color& color) const {
  constexpr float kCell = 0.028f;
  constexpr std::array<Color, 4> kPetals = {
      {{0.86f, 0.14f, 0.12f}, {0.96f, 0.80f, 0.20f}, {0.95f, 0.92f, 0.90f}, {0.52f, 0.34f, 0.74f}}};
  const auto column = static_cast<uint32_t>((u + 1.0f) / kCell);
  const auto row = static_cast<uint32_t>((v + 1.0f) / kCell);
  const uint32_t bits = hash_bits(column, row, seed_ + 70);
  if (v < 0.87f || (bits & 7u) > 4u) {
    return;
  }
  const float size = kCell * (0.10f + 0.12f * smooth_step(0.85f, 1.0f, v));
  const float center_u =
      (static_cast<float>(column) + 0.3f + 0.4f * hash_unit(column, row, seed_ + 71)) * kCell -
      1.0f;
  const float center_v =
      (static_cast<float>(row) + 0.3f + 0.4f * hash_unit(column, row, seed_ + 72)) * kCell - 1.0f;
  const float du = u - center_u;
  const float dv = (v - center_v) * 1.3f;
  const float distance = std::sqrt(du * du + dv * dv);
  const float petal = clamp_unit((size - distance) / pixel_ + 0.5f);
  const float heart = clamp_unit((0.35f * size - distance) / pixel_ + 0.5f);
  const float shade = 1.0f - 0.25f * clamp_unit(dv / size);
  color = mix(color, kPetals[(bits >> 3) & 3u] * shade, petal);
  color = mix(color, Color{0.45f, 0.28f, 0.08f}, heart);
}

// A fir: tiers of branches that widen downwards, light on the side of the sun.
void PhotoScene::add_tree(const Tree& tree, float u, float v, Color& color) const {
  const float down = (v - tree.top) / tree.height;  // 0 at the tip, 1 at the foot
  const float side = (u - tree.u) / tree.height;
  if (down < 0.0f || down > 1.04f || std::abs(side) > 0.26f) {
    return;
  }
  const float tier = down * 9.0f;
  const float in_tier = tier - static_cast<float>(static_cast<int>(tier));
  const float ragged =
      fractal_noise(u * 60.0f, v * 60.0f, seed_ + 80, std::clamp(octaves_ - 5, 1, 4), 0.7f);
  const float half_width = (0.02f + 0.17f * down) * (0.62f + 0.38f * in_tier) + 0.035f * ragged;
  const float crown =
      down > 0.97f ? 0.0f : clamp_unit((half_width - std::abs(side)) * tree.height / pixel_ + 0.5f);
  const float trunk =
      down < 0.9f ? 0.0f : clamp_unit((0.022f - std::abs(side)) * tree.height / pixel_ + 0.5f);
  color = mix(color, Color{0.17f, 0.12f, 0.08f}, trunk);
  const float sunny = sun_u_ > tree.u ? side : -side;
  const float light = clamp_unit(0.30f + 1.5f * sunny + 0.55f * ragged + 0.2f * (0.5f - in_tier));
  const Color needles = mix(Color{0.03f, 0.08f, 0.06f}, Color{0.36f, 0.42f, 0.18f}, light);
  color = mix(color, needles, crown);
}

Color PhotoScene::balloon_cloth(const Balloon& balloon, float nx, float ny) const {
  // The sines of the seams' longitudes, every 22.5 degrees.
  constexpr std::array<float, 4> kSeams = {0.19509f, 0.55557f, 0.83147f, 0.98079f};
  const float radius_here = std::sqrt(std::max(1.0f - ny * ny, 0.0004f));
  const float longitude_sine = std::abs(nx) / radius_here;
  const float soft = pixel_ / (balloon.radius * radius_here);
  float stripe = 0.0f;
  for (size_t i = 0; i < kSeams.size(); ++i) {
    const float past = clamp_unit((longitude_sine - kSeams[i]) / soft + 0.5f);
    stripe = i % 2 == 0 ? stripe + past : stripe - past;
  }
  const float band = smooth_step(0.02f, 0.0f, std::abs(ny - 0.18f) - 0.07f);
  Color cloth = mix(balloon.main, balloon.stripe, clamp_unit(stripe));
  cloth = mix(cloth, balloon.stripe * 0.9f, band * 0.8f);
  const float nz = std::sqrt(std::max(0.0f, 1.0f - nx * nx - ny * ny));
  const float sunny = (sun_u_ > balloon.u ? nx : -nx) * 0.55f - ny * 0.45f + nz * 0.62f;
  const float light = 0.50f + 0.58f * clamp_unit(sunny);
  const float shine = clamp_unit(sunny) * clamp_unit(sunny);
  return cloth * light + Color{0.16f, 0.14f, 0.11f} * (shine * shine * shine);
}

void PhotoScene::add_balloon(const Balloon& balloon, float u, float v, Color& color) const {
  const float nx = (u - balloon.u) / balloon.radius;
  const float ny = (v - balloon.v) / balloon.radius;
  if (std::abs(nx) > 1.2f || ny < -1.2f || ny > 2.1f) {
    return;
  }
  const float soft = pixel_ / balloon.radius;
  // A ball above; below the middle it narrows to the mouth at ny = 1.3.
  const float stretched = ny > 0.0f ? ny / 1.32f : ny;
  const float pinch = ny > 0.0f ? 1.0f - 0.10f * smooth_step(0.2f, 1.0f, stretched) : 1.0f;
  const float px = nx / pinch;
  const float distance = std::sqrt(px * px + stretched * stretched);
  const float mouth = clamp_unit((1.22f - ny) / soft + 0.5f);
  const float cloth_part = clamp_unit((1.0f - distance) / soft + 0.5f) * mouth;
  // Ropes from the mouth to the basket.
  const float rope_x = 0.30f - 0.14f * (ny - 1.2f) / 0.32f;
  const float rope =
      ny > 1.2f && ny < 1.56f ? clamp_unit(1.0f - std::abs(std::abs(nx) - rope_x) / soft) : 0.0f;
  color = mix(color, Color{0.22f, 0.17f, 0.14f}, 0.8f * rope);
  const float basket = clamp_unit((0.16f - std::abs(nx)) / soft + 0.5f) *
                       clamp_unit((ny - 1.52f) / soft + 0.5f) *
                       clamp_unit((1.76f - ny) / soft + 0.5f);
  const float weave = 0.12f * gradient_noise(nx * 40.0f, ny * 40.0f, seed_ + 90);
  color = mix(color, Color{0.50f, 0.33f, 0.18f} * (1.0f + weave), basket);
  if (cloth_part > 0.0f) {
    color = mix(color, balloon_cloth(balloon, px, stretched), cloth_part);
  }
}

// About a bell curve of variance 1.
float grain_at(uint32_t x, uint32_t y, uint32_t seed) {
  const uint32_t bits = hash_bits(x, y, seed);
  const auto sum = static_cast<float>((bits & 255u) + ((bits >> 8) & 255u) + ((bits >> 16) & 255u) +
                                      (bits >> 24));
  return (sum - 510.0f) / 147.8f;
}

uint8_t grainy_byte(float value, float grain) {
  return to_byte(value + grain / 255.0f);
}

}  // namespace

void paint_photo(const MutableImageView& image, uint32_t seed) {
  const PhotoScene scene(image.info.width, image.info.height, seed);
  for (uint32_t y = 0; y < image.info.height; ++y) {
    auto* row = image.row<uint8_t>(y);
    for (uint32_t x = 0; x < image.info.width; ++x) {
      const Color color =
          scene.color_at(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
      const float shared = 1.4f * grain_at(x, y, seed * 3u);  // in steps of 1/255
      row[size_t{3} * x] = grainy_byte(color.r, shared + 0.5f * grain_at(x, y, seed * 3u + 1u));
      row[size_t{3} * x + 1] = grainy_byte(color.g, shared);
      row[size_t{3} * x + 2] = grainy_byte(color.b, shared + 0.6f * grain_at(x, y, seed * 3u + 2u));
    }
  }
}

}  // namespace tessera
