// Which kind each block of a texture is, for maps that people look at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct BlockKindName {
  std::string_view name;
  std::string_view color;  // "#rrggbb", of maps
};

// Of the largest level; the slices of a texture one after the other.
struct BlockMap {
  uint32_t across = 0;               // blocks
  uint32_t down = 0;                 // of all slices together
  std::vector<uint8_t> kinds;        // row by row: a place in `names`
  std::vector<BlockKindName> names;  // all kinds that the format has
};

}  // namespace tessera
