// What a texture is to be, where the caller says that instead of a block size and a preset.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/block_size.h"

namespace tessera {

// Targets ask for the largest blocks that reach them; limits for the best quality that fits. All
// that are given hold together. Qualities are those of the largest mip level.
struct EncodeGoals {
  // dB, at least: of colours, and of all four channels; of high dynamic range, the mPSNR.
  std::optional<double> psnr;
  std::optional<double> ssim;       // at least
  std::optional<double> max_error;  // of any sample, at most; 1 is the full range
  // Where channels have limits of their own, max_error is the highest of them, and an error of a
  // channel counts so many times: the highest limit divided by the channel's own.
  std::array<double, 4> error_counts = {1, 1, 1, 1};
  std::optional<double> bits_per_pixel;  // of the blocks, at most
  std::optional<uint64_t> bytes;         // of the whole file, at most
  bool block_is_open = true;             // no block size was named
  bool preset_is_open = true;            // no preset and no quality was named

  bool has_target() const { return psnr || ssim || max_error; }
  bool has_channel_limits() const { return error_counts != std::array<double, 4>{1, 1, 1, 1}; }
  bool has_limit() const { return bits_per_pixel || bytes; }
  bool any() const { return has_target() || has_limit(); }
};

// What was chosen for one picture, and why.
struct ChosenSettings {
  BlockSize block;
  std::string preset;  // "medium", or "quality 40"
  std::string reason;  // one sentence without its full stop
};

}  // namespace tessera
