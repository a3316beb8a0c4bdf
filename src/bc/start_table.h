// The guesses of the method "starts": where along the axis the palette is taken to begin and end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "bc/bc1_presets.h"

namespace tessera::bc1 {

// The palette runs from low + alpha·range to high − beta·range.
struct Start {
  double alpha, beta;
};

// In the order of use. The first eleven are those that helped most, one after the other, on
// photographs; the others fill the gaps between them and serve the slowest presets.
inline constexpr std::array<Start, kMaxStarts> kStarts = {{
    {1.0 / 16, 1.0 / 16},
    {0, .16},
    {.16, 0},
    {1.0 / 16, -.35},
    {-.35, 1.0 / 16},
    {.11, .11},
    {-.75, -.75},
    {0, 1.0 / 16},
    {1.0 / 16, 0},
    {.16, -1},
    {-1, .16},
    {.25, 0},
    {0, .25},
    {.05, .2},
    {.2, .05},
    {-.2, -.2},
    {.18, .18},
    {-.15, .1},
    {.1, -.15},
    {-2, .0},
}};

inline constexpr int kStartFractionBits = 12;

// steps·4096 = position·slope + offset, for positions of 0…255.
struct StartLine {
  int16_t slope, offset;
};

constexpr StartLine start_line(const Start& start, int steps) {
  const double scale = 1 << kStartFractionBits;
  const double span = 1.0 - start.alpha - start.beta;
  const double slope = steps * scale / (255.0 * span);
  const double offset = (0.5 - steps * start.alpha / span) * scale;
  return {static_cast<int16_t>(slope + 0.5),
          static_cast<int16_t>(offset < 0 ? offset - 0.5 : offset + 0.5)};
}

constexpr std::array<StartLine, kMaxStarts> start_lines(int steps) {
  std::array<StartLine, kMaxStarts> lines = {};
  for (size_t i = 0; i < kMaxStarts; ++i) {
    lines[i] = start_line(kStarts[i], steps);
  }
  return lines;
}

inline constexpr std::array<StartLine, kMaxStarts> kThirdsLines = start_lines(3);
inline constexpr std::array<StartLine, kMaxStarts> kHalvesLines = start_lines(2);

}  // namespace tessera::bc1
