// Blocks that nobody sees: where colours count by their alpha, and all alpha is 0.
#pragma once

#include <cstdint>

namespace tessera::astc {

// Whether a texel's alpha is 0; channels have equally many bits.
template <class Stored>
constexpr bool is_hidden(Stored texel) {
  return texel >> (6 * sizeof(Stored)) == 0;
}

// The colour that such a block gets: the mean of its texels, with alpha 0.
template <class Stored>
class HiddenColor {
 public:
  constexpr void add(Stored texel) {
    for (unsigned i = 0; i < 3; ++i) {
      sums_[i] += static_cast<uint32_t>(texel >> (i * kBits) & kMost);
    }
    ++count_;
  }
  constexpr Stored mean() const {
    Stored texel = 0;
    for (unsigned i = 0; i < 3; ++i) {
      texel |= Stored{(sums_[i] + count_ / 2) / count_} << (i * kBits);
    }
    return texel;
  }

 private:
  static constexpr unsigned kBits = 2 * sizeof(Stored);
  static constexpr Stored kMost = (Stored{1} << kBits) - 1;
  uint32_t sums_[3] = {};
  uint32_t count_ = 0;
};

}  // namespace tessera::astc
