// Smooths the seams between leaves, lightly: two samples on each side, by no more than a limit that
// grows with the quantisation step. The encoder chooses the strength that brings the picture
// nearest to the original.
#pragma once

#include "fractal/leaf.h"
#include "fractal/plane.h"

namespace tessera::fractal {

inline constexpr uint32_t kMaxDeblocking = 15;

// `scale`: 2 where the picture was decoded at twice the size.
void deblock(const LeafList& list, uint32_t strength, uint32_t scale, Plane<uint8_t>& pixels);

}  // namespace tessera::fractal
