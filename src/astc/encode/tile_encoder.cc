// Tiles share scratches, each of which serves one call at a time.
#include "astc/encode/tile_encoder.h"

#include <algorithm>

namespace tessera::astc {

TileEncoder::TileEncoder(BlockSize size, const EncodeSettings& settings, unsigned concurrency)
    : size_(size), settings_(settings), scratches_(std::max(concurrency, 1u)) {
  prepare_tables(size, settings);
  for (EncodeScratch& scratch : scratches_) {
    free_.push_back(&scratch);
  }
}

EncodeScratch* TileEncoder::take_scratch() {
  std::unique_lock lock(mutex_);
  has_free_.wait(lock, [&] { return !free_.empty(); });
  EncodeScratch* const scratch = free_.back();
  free_.pop_back();
  return scratch;
}

void TileEncoder::give_back(EncodeScratch* scratch) {
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(scratch);  // within the capacity of the constructor
  }
  has_free_.notify_one();
}

Status TileEncoder::encode(const Tile& tile, std::span<uint8_t> out) {
  if (tile.rgba == nullptr || tile.width == 0 || tile.height == 0 ||
      tile.row_stride < size_t{tile.width} * 4) {
    return usage_error("a tile needs texels, and rows that do not overlap");
  }
  if (out.size() != tile_bytes(tile.width, tile.height, size_)) {
    return usage_error("the memory for a tile's blocks has the wrong size");
  }
  ImageView view;
  view.info.width = tile.width;
  view.info.height = tile.height;
  view.data = tile.rgba;
  view.row_stride = tile.row_stride;
  view.slice_stride = tile.row_stride * tile.height;
  const auto rows = static_cast<uint32_t>((tile.height + size_.height - 1) / size_.height);
  EncodeScratch* const scratch = take_scratch();
  const PictureFacts facts = look_at_picture(view, size_, settings_, *scratch);
  encode_rows(view, size_, 0, 0, rows, settings_, facts, *scratch, out);
  give_back(scratch);
  return {};
}

}  // namespace tessera::astc
