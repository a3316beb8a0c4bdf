// The .tsf container: a header, then a length and a stream for every tile.
//
//   bytes  field
//   4      "TSF1"
//   1      version, 1
//   1      coder: 0 the paper's, 1 ours
//   1      channels: 1 grey, 3 colour
//   1      passes over the half-resolution image, 1…64
//   4 4    width, height in pixels
//   1      quality, 0…255 (ours: see quality.h; paper's: quadtree depth)
//   1      deblocking strength, 0…15
//   1      1: leaves may carry DCT coefficients; 0: pure
//   1      zero
//   then for each tile of kTileSide pixels, row by row: 4 bytes length, the stream
// All numbers are little-endian.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "containers/texture.h"

namespace tessera::fractal {

inline constexpr uint32_t kTileSide = 1024;
inline constexpr uint64_t kMaxPixels = uint64_t{1} << 28;
inline constexpr uint32_t kMaxPaperSide = 16384;

enum class CoderKind : uint8_t { kPaper = 0, kOurs = 1 };

struct TsfHeader {
  CoderKind coder = CoderKind::kOurs;
  uint32_t channels = 1;
  uint32_t iterations = 6;
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t quality = 0;
  uint32_t deblocking = 0;
  bool hybrid = false;

  // Tiles are independent of each other. The paper's coder has one, the whole image.
  uint32_t tile_side() const { return coder == CoderKind::kPaper ? width : kTileSide; }
  uint32_t tiles_across() const { return (width + tile_side() - 1) / tile_side(); }
  uint32_t tiles_down() const { return (height + tile_side() - 1) / tile_side(); }
};

struct TsfFile {
  TsfHeader header;
  std::vector<ByteSpan> tiles;  // into the bytes that were read
};

bool looks_like_tsf(ByteSpan bytes);

// Checks every field of the header, and looks at nothing else.
Result<TsfHeader> read_tsf_header(ByteSpan head, const std::string& name);

// Checks every field and length. `name` is used in messages.
Result<TsfFile> read_tsf(ByteSpan bytes, const std::string& name);

Bytes write_tsf(const TsfHeader& header, const std::vector<Bytes>& tiles);

}  // namespace tessera::fractal

namespace tessera {

// As a texture with one level, whose payload is the whole file. The streams of the tiles are not
// looked at.
Result<TextureIndex> read_tsf_index(ByteSpan head, uint64_t file_bytes, const std::string& name);
Result<LargeBytes> write_tsf_texture(const Texture& texture);

}  // namespace tessera
