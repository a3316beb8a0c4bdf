// A compressed texture as containers hold it: what the blocks are, and the bytes of each mip level.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "containers/format_table.h"

namespace tessera {

struct TextureInfo {
  TextureFormat format = TextureFormat::kBc1;
  BlockSize block;
  bool srgb = false;  // the file says that colours are sRGB; .astc files cannot say
  bool hdr = false;   // the file says that samples are HDR; .astc files cannot say
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth = 1;
  uint32_t layers = 1;
  uint32_t faces = 1;        // 6: each six of the layers are the faces of a cube map
  bool upside_down = false;  // the file says that the first row is the lowest (.ktx2)
  bool operator==(const TextureInfo&) const = default;
};

inline constexpr uint32_t kCubeFaces = 6;  // +X, -X, +Y, -Y, +Z, -Z

// What a file keeps for programs and people (ktx2_keys.h).
struct TextureKey {
  std::string name;
  std::string value;  // as its bytes are in the file: texts end with a zero byte
  bool operator==(const TextureKey&) const = default;
};

struct Texture {
  TextureInfo info;
  // Largest first; the slices of a level one after the other. A whole-image payload is the file.
  std::vector<LargeBytes> levels;
  std::string made_with = {};  // what the file says of the settings; most say nothing
  std::vector<TextureKey> keys = {};
};

// Where a file has a level.
struct StoredLevel {
  uint64_t offset = 0;
  uint64_t length = 0;   // in the file
  uint64_t bytes = 0;    // of blocks, or of a whole-image payload
  bool is_zstd = false;  // else both sizes are the same
  // Where layers do not follow each other: `length` is that of each, and from the beginning of one
  // to that of the next there are so many bytes of the file. 0: the level is one piece.
  uint64_t layer_stride = 0;
};

// No header of a texture file goes beyond this, but for texts in .ktx2 files.
inline constexpr size_t kTextureHeadBytes = 4096;

// All that the headers of a file tell. The levels lie within the file, and their sizes are those
// that the format has; what is in them has not been looked at.
struct TextureIndex {
  TextureInfo info;
  std::vector<StoredLevel> levels;  // largest first
  std::string made_with = {};
  std::vector<TextureKey> keys = {};
};

// How the file says that the texture is to be read.
Profile profile_of(const TextureInfo& info);
// Sets the format, the block size, srgb and hdr.
void set_format(const NumberedFormat& format, TextureInfo& info);

// Nothing for textures that cannot be: sRGB and HDR at once, a block size that the format lacks.
std::optional<uint32_t> vulkan_number(const TextureInfo& info);

// Size in bytes of one mip level. Fails when it does not fit 64 bits, and for formats whose payload
// is a whole image.
Result<uint64_t> level_bytes(const TextureInfo& info, uint32_t level);

// Of one mip level: the depth becomes smaller from level to level, the number of layers does not.
uint64_t slice_count(const TextureInfo& info, uint32_t level);

// The part of a level that one slice is decoded from: its own blocks, or, where blocks are as deep
// as several slices, the layer of blocks that holds it.
struct SlicePart {
  TextureInfo info;     // of a texture whose level of the same number is that part
  uint64_t offset = 0;  // in the level
  uint64_t length = 0;
  uint32_t slice = 0;  // of the part, counted from 0
};
Result<SlicePart> part_of_slice(const TextureInfo& info, uint32_t level, uint32_t slice);

}  // namespace tessera
