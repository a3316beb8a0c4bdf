// What a program does that compresses the parts of a picture that it has just drawn: one encoder
// and one buffer, made before the loop; nothing is allocated inside of it.
//
//   tiles_in_a_render_loop blocks.bin
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <tessera/tessera.hpp>
#include <vector>

constexpr uint32_t kSide = 256;  // pixels of the picture
constexpr uint32_t kTile = 64;   // pixels of a tile, 16 blocks

// Stands for what a renderer draws into its frame.
void draw(std::vector<uint8_t>& frame, uint32_t number) {
  for (uint32_t y = 0; y < kSide; ++y) {
    for (uint32_t x = 0; x < kSide; ++x) {
      uint8_t* const pixel = &frame[4 * (size_t{y} * kSide + x)];
      pixel[0] = static_cast<uint8_t>(x + number);
      pixel[1] = static_cast<uint8_t>(y);
      pixel[2] = static_cast<uint8_t>((x ^ y) + 2 * number);
      pixel[3] = 255;
    }
  }
}

int main(int argc, char** argv) {
  auto encoder =
      tessera::TileEncoder::create({.format = "astc", .block = "4x4", .preset = "realtime"});
  if (!encoder || argc != 2) {
    std::fprintf(stderr, "%s\n",
                 encoder ? "say the file to write" : encoder.error().message.c_str());
    return 1;
  }
  std::vector<uint8_t> frame(size_t{kSide} * kSide * 4);
  std::vector<uint8_t> blocks(encoder->tile_size(kTile, kTile));
  std::ofstream out(argv[1], std::ios::binary);  // stands for the GPU's memory
  for (uint32_t number = 0; number < 3; ++number) {
    draw(frame, number);
    for (uint32_t y = 0; y < kSide; y += kTile) {
      for (uint32_t x = 0; x < kSide; x += kTile) {
        const uint8_t* const corner = &frame[4 * (size_t{y} * kSide + x)];
        const auto done = encoder->encode(corner, size_t{kSide} * 4, kTile, kTile, blocks);
        if (!done) {
          std::fprintf(stderr, "%s\n", done.error().message.c_str());
          return 1;
        }
        out.write(reinterpret_cast<const char*>(blocks.data()),
                  static_cast<std::streamsize>(blocks.size()));
      }
    }
  }
  return out.flush() ? 0 : 1;
}
