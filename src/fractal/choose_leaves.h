// The encoder's decisions: which blocks are split, and what each leaf is, by the least
// distortion + lambda · bits.
#pragma once

#include <array>

#include "base/result.h"
#include "fractal/device_search.h"
#include "fractal/domain_search.h"
#include "fractal/parallel.h"
#include "fractal/plane_stream.h"
#include "fractal/shared_loop.h"

namespace tessera::fractal {

// Which kinds of leaves may be chosen.
enum class LeafChoice : uint8_t { kPure, kHybrid, kDctOnly };

// One plane on its way through the encoder. The image is padded to whole root blocks.
struct PlaneTask {
  Plane<uint8_t> image;
  Plane<uint16_t> half;
  uint32_t width = 0;  // without padding
  uint32_t height = 0;
  // By size, then block by block.
  std::array<std::vector<BlockCandidates>, kSizeCount> candidates;
};

// Pads the samples and searches domains; `choice` kDctOnly searches nothing. With `shared`, rows of
// blocks are searched by several processes; with `device`, by that.
Result<PlaneTask> search_plane(const Plane<uint8_t>& samples, LeafChoice choice,
                               const ParallelFor& parallel, SharedLoop* shared = nullptr,
                               OptionalDevice* device = nullptr);

// Leaves at the given steps. Several passes: each learns the cost of symbols, and how well domains
// come out of the decoder, from the one before.
Result<LeafList> choose_leaves(const PlaneTask& task, const PlaneShape& shape, LeafChoice choice,
                               uint32_t iterations, const ParallelFor& parallel,
                               SharedLoop* shared = nullptr);

}  // namespace tessera::fractal
