// How long single tiles take, as a program feels it that compresses what it has just drawn.
#pragma once

#include <string>
#include <vector>

#include "base/preset.h"
#include "base/result.h"
#include "containers/texture.h"
#include "contender.h"

namespace tessera::bench {

inline constexpr uint32_t kTileEdge = 256;  // texels

struct TileLatency {
  size_t tiles = 0;            // measured
  unsigned threads = 1;        // that encode at the same time, each its own tiles
  double microseconds_50 = 0;  // the median, and what 99 of 100 do not pass
  double microseconds_99 = 0;
};

// Every whole tile of the images, several times, each call measured by itself.
Result<TileLatency> measure_tiles(const std::vector<BenchImage>& images, BlockSize size,
                                  Preset preset, unsigned threads);

std::string to_text(const TileLatency& latency);

}  // namespace tessera::bench
