// What a block costs after a byte compressor (zstd, deflate) has gone over the texture: bytes that
// repeat earlier ones become matches, the others literals of a code that follows their frequencies.
#pragma once

#include <array>
#include <cstdint>

#include "base/bits.h"

namespace tessera::bc1 {

// The logarithm to base 2, within 0.012 for x ≥ 1, by plain operations: the same on every machine.
inline float log2_of(float x) {
  const auto bits = bit_cast<uint32_t>(x);
  const auto exponent = static_cast<float>(static_cast<int>(bits >> 23) - 127);
  const auto mantissa = bit_cast<float>((bits & 0x7fffffU) | 0x3f800000U);  // 1 to 2
  return exponent + (-0.3358287811F * mantissa + 2.0F) * mantissa - 1.6641712189F;
}

class RateModel {
 public:
  static constexpr uint32_t kMostDistance = 512;  // blocks

  RateModel() {
    for (uint32_t distance = 1; distance <= kMostDistance; ++distance) {
      new_match_[distance] =
          kMatchCodes + log2_of(static_cast<float>(distance * kBytesPerBlock + 3));
    }
  }

  // Bytes that will be literals, or are about as frequent as those.
  void count(uint32_t word, float weight) {
    for (unsigned i = 0; i < 4; ++i) {
      counts_[(word >> (8 * i)) & 255] += weight;
    }
    total_ += 4 * weight;
  }
  // Makes costs of the counts.
  void settle() {
    const float whole = log2_of(total_ + 256);
    for (unsigned i = 0; i < 256; ++i) {
      literal_[i] = whole - log2_of(counts_[i] + 1);
    }
  }

  // Bits of the four bytes as literals.
  float literals(uint32_t word) const {
    return literal_[word & 255] + literal_[(word >> 8) & 255] + literal_[(word >> 16) & 255] +
           literal_[word >> 24];
  }
  // Bits of a match that begins, at a distance in blocks.
  float match(uint32_t distance) const {
    const bool is_repeated =
        distance == latest_[0] || distance == latest_[1] || distance == latest_[2];
    return is_repeated ? kRepeatedMatch : new_match_[distance];
  }
  // The same without a look at the latest distances, for many at once.
  const float* new_matches() const { return new_match_.data(); }
  const std::array<uint32_t, 3>& latest() const { return latest_; }

  // The distance of the match that reaches to the end of what was written; 0: there is none.
  uint32_t running() const { return running_; }
  static constexpr float kContinued = 1.0F;  // bits: a match becomes longer
  static constexpr float kRepeatedMatch = 6.5F;

  void note_match(uint32_t distance) {
    running_ = distance;
    const unsigned at = distance == latest_[0] ? 0 : (distance == latest_[1] ? 1 : 2);
    for (unsigned i = at; i > 0; --i) {
      latest_[i] = latest_[i - 1];
    }
    latest_[0] = distance;
  }
  void note_literals() { running_ = 0; }

 private:
  static constexpr uint32_t kBytesPerBlock = 8;
  // Of the codes for the lengths of a match and of the literals before it, and for its distance
  // without the bits that tell it exactly.
  static constexpr float kMatchCodes = 9.0F;

  std::array<float, kMostDistance + 1> new_match_{};
  std::array<float, 256> counts_{};
  std::array<float, 256> literal_{};
  float total_ = 0;
  uint32_t running_ = 0;
  std::array<uint32_t, 3> latest_{};
};

}  // namespace tessera::bc1
