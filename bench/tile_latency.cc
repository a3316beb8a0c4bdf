// Measures how long single tiles take.
#include "tile_latency.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

#include "astc/astc_codec.h"
#include "astc/encode/presets.h"
#include "astc/encode/tile_encoder.h"

namespace tessera::bench {
namespace {

constexpr unsigned kRounds = 5;

std::vector<astc::Tile> whole_tiles(const std::vector<BenchImage>& images) {
  std::vector<astc::Tile> tiles;
  for (const BenchImage& image : images) {
    const ImageView view = image.rgba.view();
    for (uint32_t y = 0; y + kTileEdge <= view.info.height; y += kTileEdge) {
      for (uint32_t x = 0; x + kTileEdge <= view.info.width; x += kTileEdge) {
        tiles.push_back(
            {view.row<uint8_t>(y) + size_t{4} * x, view.row_stride, kTileEdge, kTileEdge});
      }
    }
  }
  return tiles;
}

double percentile(const std::vector<double>& sorted, double share) {
  const auto index = static_cast<size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(index, sorted.size() - 1)];
}

}  // namespace

Result<TileLatency> measure_tiles(const std::vector<BenchImage>& images, BlockSize size,
                                  Preset preset, unsigned threads) {
  const std::vector<astc::Tile> tiles = whole_tiles(images);
  if (tiles.empty()) {
    return invalid_error("no picture is large enough for a tile of 256x256");
  }
  if (!astc::block_size_index(size) || size.is_3d()) {
    return usage_error("tiles have no blocks of " + block_size_name(size));
  }
  astc::TileEncoder encoder(size, astc::preset_settings(preset, size), threads);
  std::vector<double> times;
  std::mutex mutex;
  const auto work = [&](unsigned first) {
    std::vector<uint8_t> out(astc::tile_bytes(kTileEdge, kTileEdge, size));
    std::vector<double> own;
    for (unsigned round = 0; round < kRounds; ++round) {
      for (size_t i = first; i < tiles.size(); i += threads) {
        const auto start = std::chrono::steady_clock::now();
        const bool done = encoder.encode(tiles[i], out).ok();
        const std::chrono::duration<double, std::micro> time =
            std::chrono::steady_clock::now() - start;
        if (done && round > 0) {  // the first round warms the caches
          own.push_back(time.count());
        }
      }
    }
    const std::lock_guard lock(mutex);
    times.insert(times.end(), own.begin(), own.end());
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) {
    workers.emplace_back(work, i);
  }
  for (std::thread& worker : workers) {
    worker.join();
  }
  std::sort(times.begin(), times.end());
  return TileLatency{times.size(), threads, percentile(times, 0.50), percentile(times, 0.99)};
}

std::string to_text(const TileLatency& latency) {
  char text[160];
  std::snprintf(text, sizeof text,
                "%zu tiles of %ux%u on %u thread%s: median %.0f microseconds, 99th percentile %.0f",
                latency.tiles, kTileEdge, kTileEdge, latency.threads,
                latency.threads == 1 ? "" : "s", latency.microseconds_50, latency.microseconds_99);
  return text;
}

}  // namespace tessera::bench
