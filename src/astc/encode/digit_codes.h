// The codes that stand for a group's trits or quints, as tables that lanes can gather from.
#pragma once

#include <cstdint>

#include "astc/encode/flat_memory.h"

namespace tessera::astc {

struct DigitCodeTables {
  FlatArray<int32_t> trits;   // index: the sum of digit · 3^position (243 entries)
  FlatArray<int32_t> quints;  // index: the sum of digit · 5^position (125 entries)

  // The tables have been placed by the writer.
  void make(FlatWriter& writer);
};

}  // namespace tessera::astc
