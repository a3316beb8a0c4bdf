// The command line of astcenc, read into what the library is asked for.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::astcenc {

enum class Operation { kHelp, kVersion, kCompress, kDecompress, kTest };

// Where the channels of an output come from: r, g, b, a, 0, 1, and z for the third part of a normal
// whose others are in red and alpha.
using DecodeSwizzle = std::string;

struct Arguments {
  Operation operation = Operation::kHelp;
  std::string profile;  // "ldr", "srgb", "hdr", "hdra"
  std::string profile_title;
  std::string input;
  std::string output;
  std::string block;
  float quality = 0;  // of astcenc, 0 to 100
  std::array<float, 4> weights = {1, 1, 1, 1};
  bool weighs_by_alpha = false;  // -a
  int alpha_radius = 0;
  std::string encode_swizzle = "rgba";
  std::string sampled;  // -ssw: the channels that shaders read; "": all
  DecodeSwizzle decode_swizzle = "rgba";
  bool is_normal_map = false;
  bool is_perceptual = false;
  bool flips = false;          // -yflip
  bool normalizes = false;     // -pp-normalize
  bool premultiplies = false;  // -pp-premultiply
  bool unorm8 = false;         // -decode_unorm8
  bool is_silent = false;
  uint32_t depth = 1;    // -zdim
  uint32_t threads = 0;  // 0: all
  uint32_t repeats = 1;
  std::optional<float> rgbm;                 // -rgbm: the largest value
  std::array<int, 2> exposures = {-10, 10};  // -mpsnr, in stops
};

// Fails with a sentence that names what cannot be understood.
Result<Arguments> read_arguments(const std::vector<std::string>& words);

// The place of astcenc's quality on the library's dial, 0 to 100, preset by preset.
float library_quality(float astcenc_quality);

}  // namespace tessera::astcenc
