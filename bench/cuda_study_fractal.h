// The fractal jobs of cuda_study.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tessera {

// `texels` are RGBA, rows of `width`. Of their green channel,
//   paper      the largest square with a power of two as side (2048 at most), as the paper's coder
//              encodes it at ε = 0 down to blocks of 16x16
//   domains    a tile of 1024x1024 or less: our coder's search of domains
//   ours       the same tile, encoded
// is compared with the CPU's and timed, from memory of the host and back. False where it differs.
bool run_fractal_study(const std::string& job, std::span<const uint32_t> texels, uint32_t width,
                       uint32_t height);

}  // namespace tessera
