// How many rows of blocks are optimised for their rate together.
#pragma once

#include <cstdint>

namespace tessera {

// For a picture of so many blocks across: enough rows that there is something to repeat. Other rows
// do not matter to them, so parts may be made anywhere and in any order.
constexpr uint32_t rows_optimised_together(uint64_t blocks_across) {
  constexpr uint64_t kFewestBlocks = 4096;
  uint32_t rows = 1;
  while (rows * blocks_across < kFewestBlocks) {
    rows *= 2;
  }
  return rows;
}

}  // namespace tessera
