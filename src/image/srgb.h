// The sRGB transfer function (IEC 61966-2-1). The same result on every machine: libm is not used,
// only + - * / and square roots, which IEEE 754 fixes to the last bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

// 0…1 to 0…1; values outside are clamped, NaN becomes 0.
float srgb_to_linear(float encoded);
float linear_to_srgb(float linear);

// The same curves in double, not clamped: above 1 the power goes on, negative values are mirrored.
// For float pictures that are stored in sRGB.
double srgb_to_linear_extended(double encoded);
double linear_to_srgb_extended(double linear);

// Tables behind the 8-bit look-ups below.
struct Srgb8Tables {
  // Bins of linear light so narrow that a bin holds at most one border between two codes.
  static constexpr size_t kBins = 4096;

  std::array<float, 256> linear;        // light of a code
  std::array<float, 257> lower_border;  // smallest float that rounds to a code; [256] is above 1
  std::array<uint8_t, kBins + 1> bin_code;  // code at the dark end of a bin
};
extern const Srgb8Tables kSrgb8Tables;

// Table look-ups: an 8-bit sRGB code as linear light 0…1, and the nearest 8-bit code of a value
// (nearest among encoded values; clamped, NaN becomes 0).
inline float srgb8_to_linear(uint8_t encoded) {
  return kSrgb8Tables.linear[encoded];
}

inline uint8_t linear_to_srgb8(float linear) {
  const float clamped = linear > 0.0f ? (linear < 1.0f ? linear : 1.0f) : 0.0f;
  // Multiplying by a power of two is exact, so a value never falls into a neighbour's bin.
  const auto bin = static_cast<size_t>(clamped * static_cast<float>(Srgb8Tables::kBins));
  const uint8_t code = kSrgb8Tables.bin_code[bin];
  const bool next = clamped >= kSrgb8Tables.lower_border[size_t{code} + 1];
  return static_cast<uint8_t>(code + (next ? 1 : 0));
}

// The same for 16-bit codes. The tables take 0.5 MiB and some milliseconds, so they are made at
// first use: fetch the object once, outside loops. Making it throws std::bad_alloc when memory is
// short.
class Srgb16Tables {
 public:
  static const Srgb16Tables& get();

  float to_linear(uint16_t encoded) const { return linear_[encoded]; }

  uint16_t from_linear(float linear) const {
    const float clamped = linear > 0.0f ? (linear < 1.0f ? linear : 1.0f) : 0.0f;
    const float scaled = clamped * static_cast<float>(kBins);
    const auto bin = static_cast<size_t>(scaled);
    const float fraction = scaled - static_cast<float>(bin);
    // The chord of the curve over a bin is off by two codes at most; the borders decide.
    const float guess = bin_code_[bin] + (bin_code_[bin + 1] - bin_code_[bin]) * fraction;
    auto code = static_cast<size_t>(guess);
    while (clamped >= lower_border_[code + 1]) {
      ++code;
    }
    while (clamped < lower_border_[code]) {
      --code;
    }
    return static_cast<uint16_t>(code);
  }

 private:
  static constexpr size_t kBins = 4096;

  Srgb16Tables();

  std::vector<float> linear_;        // 65536
  std::vector<float> lower_border_;  // 65537; [0] is 0, [65536] is above 1
  std::vector<float> bin_code_;      // kBins + 2: code, as a real number, at the dark end of a bin
};

}  // namespace tessera
