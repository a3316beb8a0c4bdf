// The filters that are wider than a box, as weights along one side of a picture.
#pragma once

#include <cstdint>
#include <vector>

#include "image/mip_settings.h"

namespace tessera {

// The texels of a side that each texel of the next level is made of: `count` for each, with weights
// that add up to 1. The same on every machine: nothing but + - * / and square roots makes them.
struct SideTaps {
  uint32_t count = 1;
  std::vector<uint32_t> texels;  // count for the first texel of the next level, and so on
  std::vector<double> weights;
};

// For a side of `extent` texels that becomes one of `next`. `filter` is not the box.
SideTaps make_side_taps(uint32_t extent, uint32_t next, MipFilter filter, MipEdge edge);

}  // namespace tessera
