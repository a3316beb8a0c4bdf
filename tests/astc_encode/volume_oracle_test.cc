// The encoder on blocks of 3D against a plain search for the best block.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "encoding.h"
#include "oracle.h"

namespace tessera::astc::oracle {
namespace {

// Blocks that differ in what is hard about them, side by side.
Image test_volume(BlockSize size) {
  return drawn_volume(
      4 * size.width, size.height, size.depth, [&](uint32_t x, uint32_t y, uint32_t z) {
        const uint32_t u = x % size.width, uneven = (7 * u + 5 * y + 3 * z) % 9;
        switch (x / size.width) {
          case 0:  // a slope
            return rgba(40 + 30 * u, 60 + 25 * y, 200 - 20 * z, 255);
          case 1:  // an edge
            return u + y > z + 1 ? rgba(210 - uneven, 40, 50, 255)
                                 : rgba(30, 60 + uneven, 200, 255);
          case 2: {  // grey waves
            const uint32_t grey = 60 + (11 * u * u + 17 * y + 5 * y * z + 23 * z) % 120;
            return rgba(grey, grey, grey, 255);
          }
          default:  // alpha of its own
            return rgba(90 + 20 * u, 120, 60 + 10 * y, 255 - 70 * z);
        }
      });
}

std::vector<Rgba> texels_of(const Image& volume, BlockSize size, uint32_t block) {
  std::vector<Rgba> texels;
  for (uint32_t t = 0; t < size.texel_count(); ++t) {
    const uint32_t x = t % size.width, row = t / size.width;
    const uint8_t* const texel = volume.row<uint8_t>(row % size.height, row / size.height) +
                                 size_t{4} * (block * size.width + x);
    texels.push_back({texel[0], texel[1], texel[2], texel[3]});
  }
  return texels;
}

// How far presets are from the oracle, in dB, in the mean of the blocks: a little above what was
// measured.
TEST(VolumeOracle, PresetsAreNear) {
  constexpr BlockSize kSize = {3, 3, 3};
  constexpr uint32_t kBlocks = 4;
  const Image volume = test_volume(kSize);
  Options options;
  options.max_partitions = 2;
  options.max_dual_plane_partitions = 1;
  std::array<uint32_t, kBlocks> of_oracle{};
  for (uint32_t block = 0; block < kBlocks; ++block) {
    of_oracle[block] = search_block(texels_of(volume, kSize, block), kSize, options).error;
  }
  struct Limit {
    Preset preset;
    double most;
  };
  for (const auto& [preset, most] :
       {Limit{Preset::kRealtime, 3.6}, Limit{Preset::kFast, 2.3}, Limit{Preset::kMedium, 2.3},
        Limit{Preset::kThorough, 2.2}, Limit{Preset::kExhaustive, 1.6}}) {
    const Bytes bits = encode(volume.view(), kSize, preset_settings(preset, kSize));
    double distance = 0;
    for (uint32_t block = 0; block < kBlocks; ++block) {
      const uint32_t error = squared_error(load_block(bits.data() + block * kBlockBytes),
                                           texels_of(volume, kSize, block), kSize);
      // One more on either side, as blocks without error are no infinite way off.
      distance += 10 * std::log10((error + 1.0) / (of_oracle[block] + 1.0)) / kBlocks;
    }
    std::printf("%-10s %.2f dB above the oracle\n", std::string(preset_name(preset)).c_str(),
                distance);
    EXPECT_LE(distance, most) << preset_name(preset);
    EXPECT_GE(distance, -0.5) << "the oracle is no oracle";
  }
}

}  // namespace
}  // namespace tessera::astc::oracle
