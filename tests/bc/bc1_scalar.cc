// What devices do with a BC1 block, compiled as plain C++.
#include "bc1_scalar.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "bc/device/bc1_tables.h"

namespace tessera::reference {
namespace {

// What OpenCL C has and C++ does not.
using uint = uint32_t;
using ulong = uint64_t;
using Bc1IntTable = const int*;
using Bc1FloatScratch = float*;
#define BC1_INLINE inline
#define BC1_TABLE Bc1IntTable
#define BC1_SCRATCH Bc1FloatScratch
float as_float(int bits) {
  return std::bit_cast<float>(bits);
}
int as_int(float value) {
  return std::bit_cast<int>(value);
}
template <typename T>
T popcount(T value) {
  return static_cast<T>(std::popcount(value));
}

// Each needs the one before; the blank lines keep them in order.
#include "bc/device/bc1_block.cl"

#include "bc/device/bc1_methods.cl"

#include "bc/device/bc1_encode_block.cl"

}  // namespace

std::array<uint32_t, 16> block_rgba(const ImageView& image, uint32_t block_x, uint32_t block_y) {
  std::array<uint32_t, 16> texels = {};
  for (uint32_t i = 0; i < 16; ++i) {
    const uint32_t x = std::min(block_x * 4 + i % 4, image.info.width - 1);
    const uint32_t y = std::min(block_y * 4 + i / 4, image.info.height - 1);
    texels[i] = image.row<uint32_t>(y)[x];
  }
  return texels;
}

std::array<uint8_t, 8> encode_block(const std::array<uint32_t, 16>& texels,
                                    const bc1::Settings& settings) {
  static const std::array<std::vector<int32_t>, 3> tables = {
      bc1::kernel_tables(bc1::Rounding::kIdeal), bc1::kernel_tables(bc1::Rounding::kNvidia),
      bc1::kernel_tables(bc1::Rounding::kAmd)};
  float tail[3 * 17];
  const auto plain = std::bit_cast<Bc1Settings>(bc1::kernel_settings(settings));
  const Bc1Words words = bc1_encode_block(
      texels.data(), &plain, tables[static_cast<size_t>(settings.rounding)].data(), tail, 1);
  std::array<uint8_t, 8> bytes;
  std::memcpy(bytes.data(), &words.colors, 4);
  std::memcpy(bytes.data() + 4, &words.selectors, 4);
  return bytes;
}

}  // namespace tessera::reference
