// Where a tile lies, and the planes that its stream holds.
#pragma once

#include <algorithm>
#include <vector>

#include "containers/tsf_file.h"
#include "fractal/plane_stream.h"

namespace tessera::fractal {

struct TileRect {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t width = 0;
  uint32_t height = 0;
};

inline TileRect tile_rect(const TsfHeader& header, size_t index) {
  const auto across = header.tiles_across();
  TileRect rect;
  rect.x = static_cast<uint32_t>(index % across) * header.tile_side();
  rect.y = static_cast<uint32_t>(index / across) * header.tile_side();
  rect.width = std::min(header.tile_side(), header.width - rect.x);
  rect.height = std::min(header.tile_side(), header.height - rect.y);
  return rect;
}

inline PlaneShape plane_shape(const TsfHeader& header, const TileRect& rect, uint32_t plane) {
  const bool chroma = plane > 0;
  PlaneShape shape;
  shape.width = chroma ? (rect.width + 1) / 2 : rect.width;
  shape.height = chroma ? (rect.height + 1) / 2 : rect.height;
  shape.dct_step = dct_step(header.quality, chroma);
  shape.hybrid = header.hybrid;
  return shape;
}

}  // namespace tessera::fractal
