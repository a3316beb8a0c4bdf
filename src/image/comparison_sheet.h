// Original, result and error side by side, for eyes.
#pragma once

#include "base/result.h"
#include "image/image.h"

namespace tessera {

// 8-bit RGB: the reference, the test image, and |difference|·gain, separated by thin grey bars.
// Transparent pixels are shown over grey checks. The images must have the same size; only the first
// slice is shown.
// Sheets of pictures that are very long and thin have narrow bars: see sheet_bar_width.
Result<Image> make_comparison_sheet(const ImageView& reference, const ImageView& test, double gain);

// Where the three pictures go on a larger sheet of 8-bit RGB.
struct SheetPlaces {
  uint32_t x[3];
  uint32_t y;
};
Status draw_comparison(const ImageView& reference, const ImageView& test, double gain,
                       const SheetPlaces& places, Image& sheet);

// Whether a picture is so long and thin that bars and labels would take many times its own memory.
bool is_long_and_thin(const ImageInfo& picture);
// Pixels between the pictures of a sheet.
uint32_t sheet_bar_width(const ImageInfo& picture);

}  // namespace tessera
