// A compressed texture as containers hold it: what the blocks are, and the bytes of each mip level.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace tessera {

enum class TextureFormat : uint8_t { kBc1, kAstc };

std::string_view texture_format_name(TextureFormat format);  // "bc1", "astc"

struct BlockSize {
  uint32_t width = 4;
  uint32_t height = 4;
  uint32_t depth = 1;
  bool operator==(const BlockSize&) const = default;
};

// "6x6", "4x4x4"
std::string block_size_name(const BlockSize& block);
Result<BlockSize> parse_block_size(std::string_view text);

struct TextureInfo {
  TextureFormat format = TextureFormat::kBc1;
  BlockSize block;
  bool srgb = false;  // the file says that colours are sRGB; .astc files cannot say
  bool hdr = false;   // the file says that samples are HDR; .astc files cannot say
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth = 1;
  uint32_t layers = 1;
  bool operator==(const TextureInfo&) const = default;
};

struct Texture {
  TextureInfo info;
  std::vector<LargeBytes> levels;  // largest first; slices of a level one after the other
};

size_t bytes_per_block(TextureFormat format);

// Size of one mip level. Fails when it does not fit 64 bits.
Result<uint64_t> level_bytes(const TextureInfo& info, uint32_t level);

}  // namespace tessera
