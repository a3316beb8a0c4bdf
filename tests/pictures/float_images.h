// Images of half and float samples for the tests.
#pragma once

#include "image/image.h"

namespace tessera {

// Linear, from about 0 to some thousand, no two channels or rows alike.
Image make_float_image(uint32_t width, uint32_t height, uint32_t channels, SampleType sample);

// Bit for bit, rows only.
void expect_same_bits(const Image& actual, const Image& expected);

}  // namespace tessera
