// BC1 for byte compressors: which number --rdo-size comes to, and blocks made cheaper, part by
// part.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "bc/bc1_encode.h"
#include "codec/rate_choice.h"
#include "exec/backend.h"
#include "image/image.h"

namespace tessera {

// The number that leaves settings.rate.size of the bits, found with a few parts of the picture.
Result<ChosenRate> choose_bc1_rate(const ImageView& largest, const bc1::Settings& settings,
                                   Backend& backend, const RunControl& control);

// Changes the blocks of a picture in `blocks`, each part on its own.
Status optimise_bc1_blocks(const ImageView& image, const bc1::Settings& settings, float lambda,
                           Backend& backend, const RunControl& control, std::span<uint8_t> blocks);

}  // namespace tessera
