// Rate-distortion optimisation of BC1: blocks that a byte compressor makes less of.
//
// Blocks are gone through in the order of the file. Each is compared with what it could be: with
// the selectors, the end colours, or all of an earlier block, its own rest fitted to them. What has
// the least sum of squared error and `lambda` times the estimated bits is written.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "bc/bc1_presets.h"
#include "image/image.h"

namespace tessera::bc1 {

// The block rows [first_row, end_row) of a slice, which begin and end where rows that are optimised
// together do (base/rate_rows.h), or at the end of the picture. `blocks` are as the encoder has
// made them, and are changed. Returns the estimated bits of all of them.
double optimise_rate(const ImageView& image, uint32_t slice, uint32_t first_row, uint32_t end_row,
                     const Settings& settings, float lambda, std::span<uint8_t> blocks);

}  // namespace tessera::bc1
