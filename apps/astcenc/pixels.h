// Pixels that the program changes before and after the library has them.
#pragma once

#include <tessera/tessera.hpp>
#include <vector>

#include "arguments.h"

namespace tessera::astcenc {

// Four channels of 8 bits or of floats, slice after slice without gaps.
struct Pixels {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth = 1;
  bool is_float = false;
  std::vector<uint8_t> bytes;  // of 8-bit pixels
  std::vector<float> floats;   // of others

  size_t texels() const { return size_t{width} * height * depth; }
  // 0 to 1 for 8-bit pixels.
  double get(size_t texel, size_t channel) const;
  void set(size_t texel, size_t channel, double value);
  Image image(bool is_srgb) const;
};

// A picture with all channels: grey in red, green and blue; opaque where it has no alpha. Pictures
// of 16 bits become floats where they are read as HDR, and 8 bits otherwise.
Result<Pixels> to_pixels(const Image& image);

// What a picture's file can hold of them: the first slice, in floats or in 8 bits.
Pixels first_slice(const Pixels& pixels, bool in_floats);

// Floats from 0 to 1, which textures of low dynamic range can hold; what is no number becomes 0.
Pixels clamped(const Pixels& pixels);

// As the library does it.
Result<Pixels> edited(const Pixels& pixels, const PictureEdits& edits, bool is_srgb);
void swizzle(Pixels& pixels, const DecodeSwizzle& channels);

// What astcenc calls its quality metrics.
struct ErrorSums {
  double psnr_rgba = 0;            // dB
  double psnr_alpha_weighted = 0;  // dB; errors of colours by the reference's alpha
  double psnr_rgb = 0;             // dB
  // Of floats:
  double psnr_peak = 0;  // dB, of the largest value
  double peak = 0;
  double mpsnr = 0;     // dB
  double log_rmse = 0;  // stops
  // Of normals:
  double mean_angle = 0;  // degrees
  double worst_angle = 0;
};
ErrorSums measure(const Pixels& reference, const Pixels& test, const Arguments& arguments);

}  // namespace tessera::astcenc
