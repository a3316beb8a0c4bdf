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

// "--target-psnr 40 --max-bytes 65536", as the command has them.
std::string goals_text(const EncodeGoals& goals);

}  // namespace tessera
