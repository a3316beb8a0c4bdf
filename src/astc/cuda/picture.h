// A picture in memory of a device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::astc {

// One slice of four 8-bit channels, or some block rows of it.
struct Picture {
  const uint32_t* texels = nullptr;
  size_t row_stride = 0;  // texels from a row to the next
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t across = 0;            // blocks
  bool has_aligned_rows = false;  // to 16 bytes, so that texels can be loaded four at a time
};

}  // namespace tessera::astc
