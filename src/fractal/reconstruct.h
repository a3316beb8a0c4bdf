// From leaves to pixels. Passes over the half-resolution image, in place and leaf by leaf, bring
// the fractal leaves to their fixed point; one pass at full size follows. Integers throughout: the
// result is the same everywhere.
#pragma once

#include "fractal/leaf.h"
#include "fractal/plane.h"

namespace tessera::fractal {

struct ReconstructOptions {
  uint32_t iterations = 6;
  uint32_t scale = 1;  // 2: decode at twice the size
};

Plane<uint8_t> reconstruct(const LeafList& list, const ReconstructOptions& options);

// The half-resolution image after the passes, in 1/kSampleUnit: what domains are taken from.
Plane<int16_t> reconstruct_half(const LeafList& list, uint32_t iterations);

}  // namespace tessera::fractal
