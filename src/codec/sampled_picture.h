// A small picture made of patches of a large one, on which settings are tried quickly.
#pragma once

#include <cstdint>

#include "base/block_size.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

// About `patches` squares of some 24 texels, of whole blocks, side by side. They are spread evenly
// over all slices, at places that follow from the picture's size and the block size alone. Empty
// where the patches would hold half of the picture or more: then the whole is no more work.
Result<Image> sample_picture(const ImageView& picture, BlockSize block, uint32_t patches);

}  // namespace tessera
