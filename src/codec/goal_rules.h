// What goals go with, and which block sizes they leave open.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "codec/pipeline.h"

namespace tessera {

// Whether the plan's format and settings leave something to choose. Fine where there are no goals.
Status check_goals(const EncodePlan& plan);

// The plan's 2D block sizes, smallest first; one where it names one.
std::vector<BlockSize> open_block_sizes(const EncodePlan& plan);

// Bits per pixel of a block size, mip levels, edges and the container aside.
double block_bits_per_pixel(const Codec& codec, BlockSize block);

// Reads the largest errors that samples may have, in levels of 255: "8", or "8,8,8,2" for red,
// green, blue and alpha.
Status set_error_limits(const std::string& text, EncodeGoals& goals);
// The same as text; for goals with limits of channels.
std::string error_limits_text(const EncodeGoals& goals);

// "--target-psnr 40 --max-bytes 65536", as the command has them.
std::string goals_text(const EncodeGoals& goals);

}  // namespace tessera
