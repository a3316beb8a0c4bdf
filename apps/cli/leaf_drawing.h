// Draws what a fractal image is made of.
#pragma once

#include <string>

#include "client.h"

namespace tessera::cli {

// The leaves of the luma as an SVG picture: squares in the colours of their kinds, and an arrow to
// the domain of each of the `arrows` largest fractal leaves. `leaves` is what tessera_list_leaves
// tells.
std::string draw_leaves(const Json& leaves, uint32_t width, uint32_t height, size_t arrows);

}  // namespace tessera::cli
