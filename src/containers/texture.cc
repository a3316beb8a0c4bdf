#include "containers/texture.h"

#include <algorithm>
#include <charconv>

namespace tessera {
namespace {

uint64_t extent_at_level(uint32_t extent, uint32_t level) {
  return std::max<uint64_t>(1, level < 32 ? extent >> level : 0);
}

}  // namespace

std::string_view texture_format_name(TextureFormat format) {
  switch (format) {
    case TextureFormat::kBc1:
      return "bc1";
    case TextureFormat::kAstc:
      return "astc";
  }
  return "unknown";
}

std::string block_size_name(const BlockSize& block) {
  std::string name = std::to_string(block.width) + "x" + std::to_string(block.height);
  return block.depth == 1 ? name : name + "x" + std::to_string(block.depth);
}

Result<BlockSize> parse_block_size(std::string_view text) {
  BlockSize block;
  uint32_t* const sides[] = {&block.width, &block.height, &block.depth};
  const char* at = text.data();
  const char* const end = at + text.size();
  size_t count = 0;
  while (count < 3) {
    const auto [next, error] = std::from_chars(at, end, *sides[count]);
    if (error != std::errc() || *sides[count] == 0 || *sides[count] > 255) {
      break;
    }
    ++count;
    if (next == end && count >= 2) {
      return block;
    }
    if (next == end || *next != 'x') {
      break;
    }
    at = next + 1;
  }
  return usage_error("'" + std::string(text) + "' is not a block size such as 6x6");
}

size_t bytes_per_block(TextureFormat format) {
  return format == TextureFormat::kBc1 ? 8 : 16;
}

Result<uint64_t> level_bytes(const TextureInfo& info, uint32_t level) {
  const uint64_t across = divide_round_up(extent_at_level(info.width, level), info.block.width);
  const uint64_t down = divide_round_up(extent_at_level(info.height, level), info.block.height);
  const uint64_t deep = divide_round_up(extent_at_level(info.depth, level), info.block.depth);
  uint64_t total = bytes_per_block(info.format);
  for (const uint64_t factor : {across, down, deep, uint64_t{info.layers}}) {
    const auto product = checked_multiply(total, factor);
    if (!product) {
      return invalid_error("the texture's size does not fit 64 bits");
    }
    total = *product;
  }
  return total;
}

}  // namespace tessera
