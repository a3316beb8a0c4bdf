// Pixels as pages and pictures show them, and maps of errors and of kinds of blocks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "client.h"

namespace tessera::cli {

struct Window {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t width = 0;
  uint32_t height = 0;
};

// Four channels of 8 bits, without gaps.
struct ShownPixels {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t> rgba;

  Image image() const;
};

// A part of the first slice. Light of high range is clipped, and coded for displays.
ShownPixels shown_pixels(const Image& image, const Window& window);

// Its channels as a swizzle such as "rrr1" has them.
ShownPixels swizzled(ShownPixels pixels, const std::string& swizzle);

// In the first slice.
bool has_transparent_pixels(const Image& image);

// The largest error of the channels of each pixel, times `gain`: black, red, yellow, white.
ShownPixels error_map(const ShownPixels& reference, const ShownPixels& test, double gain);

// Blocks in the colours of their kinds; `legend` and `kinds` as tessera_map_blocks has them.
ShownPixels kind_map(const Json& legend, std::span<const uint8_t> kinds, const Window& window);

struct BlockError {
  uint32_t x = 0;  // in blocks
  uint32_t y = 0;
  double mean_square = 0;  // of red, green, blue and alpha, 0 to 255
};
// The `count` blocks with the largest errors, the worst first.
std::vector<BlockError> worst_blocks(const ShownPixels& reference, const ShownPixels& test,
                                     uint32_t block_width, uint32_t block_height, size_t count);

std::string base64(std::span<const uint8_t> bytes);

}  // namespace tessera::cli
