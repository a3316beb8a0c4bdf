// What goals go with, and which block sizes they leave open.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "codec/options.h"
#include "codec/pipeline.h"

namespace tessera {

// Whether the plan's format and settings leave something to choose. Fine where there are no goals.
Status check_goals(const EncodePlan& plan);

// The plan's block sizes, smallest first: those of 2D, or, for volumes, those of 3D; one where it
// names one.
std::vector<BlockSize> open_block_sizes(const EncodePlan& plan, bool is_volume);

// Bits per pixel of a block size, mip levels, edges and the container aside.
double block_bits_per_pixel(const Codec& codec, BlockSize block);

// Of options that have been checked: "target-psnr", "target-ssim", "max-error", "max-bpp" and
// "max-bytes".
Result<EncodeGoals> read_goals(const OptionReader& reader);
// "8,8,8,2", of goals with limits of channels, in levels of 255.
std::string error_limits_text(const EncodeGoals& goals);

// "--target-psnr 40 --max-bytes 65536", as the command has them.
std::string goals_text(const EncodeGoals& goals);

}  // namespace tessera
