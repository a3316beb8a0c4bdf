// Rectangles of random pictures through the tile encoder: the blocks of that rectangle as a picture
// of its own, the same at every call, and nothing outside of the rectangle and the output touched.
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "measured.h"
#include "random_picture.h"
#include "tessera/tessera.h"

namespace {

using namespace tessera;

struct Tile {
  uint32_t width = 0;
  uint32_t height = 0;
  size_t stride = 0;
  Bytes pixels;  // ends with the last pixel
};

Tile make_tile(FuzzedDataProvider& bytes) {
  Tile tile;
  tile.width = bytes.ConsumeIntegralInRange<uint32_t>(0, 40);
  tile.height = bytes.ConsumeIntegralInRange<uint32_t>(0, 40);
  tile.stride = tile.width * size_t{4} + bytes.ConsumeIntegralInRange<size_t>(0, 9);
  const size_t rows = tile.height > 0 ? tile.height - 1 : 0;
  tile.pixels = fuzz::random_pixels(bytes, rows * tile.stride + tile.width * size_t{4});
  return tile;
}

// Encoders of pictures and of tiles with the same settings. Making them takes much longer than
// encoding a tile does, so most inputs use those that earlier ones made.
struct Encoders {
  using Picture = std::unique_ptr<tessera_encoder, decltype(&tessera_encoder_destroy)>;
  using Tiles = std::unique_ptr<tessera_tile_encoder, decltype(&tessera_tile_encoder_destroy)>;
  Picture picture = {nullptr, tessera_encoder_destroy};
  Tiles tiles = {nullptr, tessera_tile_encoder_destroy};
};

Encoders make_encoders(const tessera_encode_options& options, uint32_t threads) {
  Encoders made;
  tessera_tile_encoder* tiles = nullptr;
  if (tessera_tile_encoder_create(&options, threads, &tiles, nullptr) == TESSERA_OK) {
    made.tiles.reset(tiles);
    tessera_encoder* picture = nullptr;
    fuzz::require(tessera_encoder_create(&options, &picture, nullptr) == TESSERA_OK,
                  "a tile encoder exists for settings that no encoder has");
    made.picture.reset(picture);
  }
  return made;
}

Bytes encode_as_picture(const tessera_encoder* encoder, const Tile& tile, size_t size) {
  tessera_image image = TESSERA_IMAGE_INIT;
  image.pixels = tile.pixels.data();
  image.width = tile.width;
  image.height = tile.height;
  image.row_stride = tile.stride;
  Bytes blocks(size);
  fuzz::require(tessera_encode_blocks(encoder, nullptr, &image, nullptr, blocks.data(), size,
                                      nullptr) == TESSERA_OK,
                "a tile can be encoded, and its picture cannot");
  return blocks;
}

void try_tile(FuzzedDataProvider& bytes, const Encoders& encoders) {
  const Tile tile = make_tile(bytes);
  const size_t expected = tessera_tile_size(encoders.tiles.get(), tile.width, tile.height);
  const size_t given = bytes.ConsumeIntegralInRange(0, 7) == 0
                           ? bytes.ConsumeIntegralInRange<size_t>(0, 2000)
                           : expected;
  Bytes out(given);
  const auto status = tessera_encode_tile(encoders.tiles.get(), tile.pixels.data(), tile.stride,
                                          tile.width, tile.height, out.data(), given, nullptr);
  fuzz::require((status == TESSERA_OK) == (expected > 0 && given == expected),
                "a tile is refused, or should have been");
  if (status == TESSERA_OK) {
    fuzz::require(out == encode_as_picture(encoders.picture.get(), tile, given),
                  "a tile's blocks are not those of its picture");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static std::map<std::tuple<std::string, std::string, std::string, uint32_t>, Encoders> made;
  const fuzz::Measured measured(size);
  FuzzedDataProvider bytes(data, size);
  tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
  options.format = bytes.ConsumeIntegralInRange(0, 9) == 0 ? "bc1" : "astc";
  options.block = bytes.PickValueInArray(fuzz::kBlockNames);
  options.preset = bytes.PickValueInArray(fuzz::kPresetNames);
  const auto threads = bytes.ConsumeIntegralInRange(0u, 2u);
  Encoders& encoders = made[{options.format, options.block, options.preset, threads}];
  constexpr int kUsesOfEncoders = 32;
  if (encoders.tiles == nullptr || bytes.ConsumeIntegralInRange(1, kUsesOfEncoders) == 1) {
    encoders = make_encoders(options, threads);
  }
  for (int i = 0; i < 3 && encoders.tiles != nullptr; ++i) {
    try_tile(bytes, encoders);
  }
  return 0;
}
