// A comparison sheet that tells what it shows: names, figures, and the worst block from near.
#pragma once

#include <string>

#include "base/result.h"
#include "image/image.h"

namespace tessera {

struct SheetOptions {
  std::string reference_name = "original";
  std::string test_name = "result";
  double gain = 8;
  uint32_t block_width = 4;
  uint32_t block_height = 4;
};

// Original, result and error times the gain, as make_comparison_sheet draws them, under their names
// and the PSNR of RGB. Below, the blocks around the worst one, enlarged, with the grid of blocks
// and a frame around the worst one. Of volumes, the first slice.
// Pictures that are very long and thin get a plain sheet.
Result<Image> make_annotated_sheet(const ImageView& reference, const ImageView& test,
                                   const SheetOptions& options);

}  // namespace tessera
