// Randomness and smooth noise for the synthetic pictures: integer hashes and + - * / only, so that
// every machine draws the same picture.
#pragma once

#include <cstdint>

namespace tessera {

// Mixes the bits of three numbers well.
inline uint32_t hash_bits(uint32_t x, uint32_t y, uint32_t seed) {
  uint32_t bits = seed * 0x9E3779B1u + x * 0x85EBCA77u;
  bits = (bits ^ (bits >> 15)) * 0x2C1B3C6Du + y * 0xC2B2AE3Du;
  bits = (bits ^ (bits >> 13)) * 0x297A2D39u;
  bits = (bits ^ (bits >> 16)) * 0x7FEB352Du;
  return bits ^ (bits >> 15);
}

// 0…1, 1 excluded.
inline float hash_unit(uint32_t x, uint32_t y, uint32_t seed) {
  return static_cast<float>(hash_bits(x, y, seed) >> 8) * 0x1p-24f;
}

// Numbers one after the other, for layouts.
class Random {
 public:
  explicit Random(uint32_t seed) : seed_(seed) {}
  uint32_t bits() { return hash_bits(counter_++, 0x5EEDu, seed_); }
  float unit() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }
  float between(float low, float high) { return low + (high - low) * unit(); }
  int32_t between(int32_t low, int32_t high) {  // both included
    return low + static_cast<int32_t>(bits() % static_cast<uint32_t>(high - low + 1));
  }

 private:
  uint32_t seed_;
  uint32_t counter_ = 0;
};

inline float mix(float a, float b, float t) {
  return a + (b - a) * t;
}

inline float clamp_unit(float value) {
  return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

// 0 below `low`, 1 above `high`, smooth between.
inline float smooth_step(float low, float high, float value) {
  const float t = clamp_unit((value - low) / (high - low));
  return t * t * (3.0f - 2.0f * t);
}

// Smooth noise with about one bump per unit; about -1…1, 0 on average.
float gradient_noise(float x, float y, uint32_t seed);

// Octaves of gradient noise, each twice as fine and `gain` times as strong as the one before: 0.5
// gives the 1/f spectrum of natural scenes. About -1…1.
float fractal_noise(float x, float y, uint32_t seed, int octaves, float gain = 0.5f);

// The same with sharp crests and round valleys, as weather leaves of mountains. About -1…1.
float ridged_noise(float x, float y, uint32_t seed, int octaves, float gain = 0.5f);

}  // namespace tessera
