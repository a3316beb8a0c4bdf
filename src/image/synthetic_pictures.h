// The painters behind make_synthetic_image, one picture each. They fill the whole image, of any
// size from 1x1 up.
#pragma once

#include <cstdint>

#include "image/image.h"

namespace tessera {

void paint_photo(const MutableImageView& image, uint32_t seed);       // RGB
void paint_interface(const MutableImageView& image, uint32_t seed);   // RGB
void paint_sprites(const MutableImageView& image, uint32_t seed);     // RGBA
void paint_normal_map(const MutableImageView& image, uint32_t seed);  // RGB
void paint_noise(const MutableImageView& image, uint32_t seed);       // RGBA
void paint_constant(const MutableImageView& image, uint32_t seed);    // RGB

}  // namespace tessera
