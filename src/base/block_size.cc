// Block sizes as text.
#include "base/block_size.h"

#include "base/sides.h"

namespace tessera {

std::string block_size_name(const BlockSize& block) {
  std::string name = std::to_string(block.width) + "x" + std::to_string(block.height);
  return block.depth == 1 ? name : name + "x" + std::to_string(block.depth);
}

Result<BlockSize> parse_block_size(std::string_view text) {
  constexpr uint32_t kMostSide = 255;
  const auto sides = parse_sides(text, kMostSide);
  if (!sides) {
    return usage_error("'" + std::string(text) + "' is not a block size such as 6x6");
  }
  return BlockSize{(*sides)[0], (*sides)[1], (*sides)[2]};
}

}  // namespace tessera
