// A picture and settings out of a fuzzer's bytes.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <array>

#include "base/bytes.h"
#include "image/image.h"

namespace tessera::fuzz {

// 2D block sizes of ASTC by name.
inline constexpr std::array kBlockNames = {"4x4",  "5x4",   "5x5",   "6x5",  "6x6",
                                           "8x5",  "8x6",   "8x8",   "10x5", "10x6",
                                           "10x8", "10x10", "12x10", "12x12"};
inline constexpr std::array kPresetNames = {"realtime", "fast", "medium"};

// Pixels of the fuzzer's bytes, repeated with a slow change, so that a few bytes make a picture
// that is neither flat nor noise.
inline Bytes random_pixels(FuzzedDataProvider& bytes, size_t count) {
  const auto seed = bytes.ConsumeBytes<uint8_t>(bytes.ConsumeIntegralInRange<size_t>(1, 200));
  const auto step = bytes.ConsumeIntegral<uint8_t>();
  Bytes pixels(count);
  for (size_t i = 0; i < count && !seed.empty(); ++i) {
    pixels[i] = static_cast<uint8_t>(seed[i % seed.size()] + step * (i / seed.size()));
  }
  return pixels;
}

}  // namespace tessera::fuzz
