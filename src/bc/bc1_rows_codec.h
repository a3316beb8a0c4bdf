// The block rows of a BC1 picture as work for a backend.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "bc/bc1_format.h"
#include "exec/backend.h"
#include "image/image.h"

namespace tessera {

// Texels of a task: large enough that starting it costs nothing beside it, small enough to spread.
inline constexpr size_t kBc1TexelsPerTask = size_t{1} << 16;

// The block rows of all slices as one range.
struct Bc1BlockRows {
  explicit Bc1BlockRows(const ImageInfo& info)
      : per_slice(static_cast<uint32_t>(divide_round_up(info.height, bc1::kBlockSide))),
        row_bytes(static_cast<size_t>(divide_round_up(info.width, bc1::kBlockSide)) *
                  bc1::kBlockBytes),
        work{size_t{per_slice} * info.slices(),
             std::max<size_t>(1, kBc1TexelsPerTask / (size_t{info.width} * bc1::kBlockSide))} {}

  // Calls action(slice, first_row, end_row) for the parts of [begin, end) that lie in one slice.
  template <class Action>
  void for_each_slice(size_t begin, size_t end, const Action& action) const {
    while (begin < end) {
      const size_t slice = begin / per_slice;
      const size_t slice_end = std::min(end, (slice + 1) * per_slice);
      action(static_cast<uint32_t>(slice), static_cast<uint32_t>(begin - slice * per_slice),
             static_cast<uint32_t>(slice_end - slice * per_slice));
      begin = slice_end;
    }
  }

  uint32_t per_slice;
  size_t row_bytes;
  WorkRange work;
};

}  // namespace tessera
