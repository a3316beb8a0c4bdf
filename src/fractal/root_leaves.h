// Leaves of one root block, in coding order, and how they travel between processes.
#pragma once

#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "fractal/leaf_costs.h"
#include "fractal/shared_loop.h"

namespace tessera::fractal {

struct RootLeaves {
  std::vector<LeafChoiceResult> leaves;
};

void save_root(const RootLeaves& root, Bytes& bytes);

// Reads the leaves of the root block at (x, y) of a plane. They must cover it, with domains inside
// the half-resolution plane of `half_width` x `half_height`.
Result<RootLeaves> load_root(ByteReader& reader, uint32_t x, uint32_t y, uint32_t half_width,
                             uint32_t half_height);

}  // namespace tessera::fractal
