// Block sizes as text.
#include "base/block_size.h"

#include <charconv>

namespace tessera {

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

}  // namespace tessera
