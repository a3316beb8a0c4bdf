// Infill: how a texel's weight is interpolated from the (smaller) grid of stored weights: bilinear
// in 2D, simplex in 3D. Either way it is the sum of four grid weights with factors in sixteenths.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

// The texel's weight is (Σ factor·weight[grid] + 8) / 16. Factors sum to 16; a grid position with
// factor 0 is valid, too (0).
struct InfillTap {
  std::array<uint8_t, 4> grid;
  std::array<uint8_t, 4> factor;
};

// One texel, straight from the standard's formulae.
InfillTap infill_tap(BlockSize size, GridSize grid, unsigned x, unsigned y, unsigned z);

// All texels, x running fastest; `taps` has room for them.
void make_infill_taps(BlockSize size, GridSize grid, std::span<InfillTap> taps);

// The taps of all texels for each grid that a block size can have.
class InfillTable {
 public:
  explicit InfillTable(BlockSize size);

  // x running fastest. The grid must occur in a legal mode of this block size.
  std::span<const InfillTap> taps(GridSize grid) const {
    return {taps_.data() + offsets_[slot(grid)], texel_count_};
  }

 private:
  static constexpr unsigned kEdge = 13;  // grid edges run to 12
  static constexpr unsigned kDepth = 7;  // and to 6 in z
  static unsigned slot(GridSize grid) { return (grid.z * kEdge + grid.y) * kEdge + grid.x; }

  unsigned texel_count_;
  std::array<uint32_t, kEdge * kEdge * kDepth> offsets_{};
  std::vector<InfillTap> taps_;
};

// Made at first use.
const InfillTable& infill_table(BlockSize size);

}  // namespace tessera::astc
