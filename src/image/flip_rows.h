// Pictures the other way round.
#pragma once

#include "image/image.h"

namespace tessera {

// The last row of each slice becomes the first one.
void flip_rows(Image& image);

}  // namespace tessera
