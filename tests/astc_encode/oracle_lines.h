// Lines through the texels of a partition, and what they tell about the least error that a pattern
// or a weight grid can reach.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"
#include "oracle.h"

namespace tessera::astc::oracle {

using Color = std::array<double, 4>;

// How a block is divided: into partitions of texels, and its channels into planes of weights.
struct Division {
  static constexpr unsigned kNone = 4;

  unsigned partitions = 1;
  uint16_t seed = 0;
  unsigned plane2 = kNone;            // the channel with weights of its own
  std::vector<uint8_t> partition_of;  // each texel's
  unsigned plane_of(unsigned channel) const { return channel == plane2 ? 1 : 0; }
  unsigned planes() const { return plane2 == kNone ? 1 : 2; }
};

Division divide(BlockSize size, unsigned partitions, unsigned seed, unsigned plane2);

struct Segment {
  Color low{};
  Color high{};
};

// Parts of the line of least squared distance from a partition's texels, in the channels of one
// plane (the others are 0). Rising in the sum of red, green and blue.
struct Line {
  Segment outer;  // to the outermost texels' places
  Segment inner;  // as far from the mean as the texels are in the root mean square
};

// `through_black`: the best line of those through the origin, without regard to alpha.
Line fit_line(std::span<const Rgba> texels, const Division& division, unsigned partition,
              unsigned plane, bool through_black);

// The least squared error of any block so divided, were weights and endpoints real numbers.
double division_residual(std::span<const Rgba> texels, const Division& division);

// The same where weights are interpolated from a grid. Exact for one partition; with more of them,
// each may have a grid of its own.
double grid_residual(std::span<const Rgba> texels, const Division& division, BlockSize size,
                     GridSize grid);

// Turns a residual into a bound of the error in 8-bit integers. Rounding may bring texels nearer to
// their colours than the line is, but not all of them by half a level: `kRoundingGain` is the root
// mean square in levels that is allowed for.
double error_bound(double residual, size_t samples);
inline constexpr double kRoundingGain = 0.3;

}  // namespace tessera::astc::oracle
