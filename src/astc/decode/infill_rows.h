// Infill tables laid out for vectors: a 2D block's texels row by row, eight at a time. All texels
// of a row lie between the same two rows of the weight grid, and a grid row has at most 12 weights,
// so one 16-byte table look-up fetches what eight texels need.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

// For texels 8·group … 8·group + 7 of each row: positions in a grid row, each as a byte followed by
// one that selects zero, so that a look-up gives 16-bit numbers.
struct InfillColumns {
  alignas(16) std::array<uint8_t, 16> left;
  alignas(16) std::array<uint8_t, 16> right;
};

// The factors of eight texels of one row, in sixteenths.
struct InfillFactors {
  alignas(16) std::array<uint16_t, 8> upper_left;
  alignas(16) std::array<uint16_t, 8> upper_right;
  alignas(16) std::array<uint16_t, 8> lower_left;
  alignas(16) std::array<uint16_t, 8> lower_right;
};

struct InfillGrid {
  bool is_identity = false;  // as many weights as texels: nothing to interpolate
  uint8_t groups = 0;        // of eight texels in a row
  std::array<InfillColumns, 2> columns;
  std::array<uint8_t, 12>
      upper_row;  // grid position of the first weight in the row above a texel row
  std::array<uint8_t, 12> lower_row;   // and below
  std::vector<InfillFactors> factors;  // [row · groups + group]
};

// All grids of a 2D block size.
class InfillRows {
 public:
  explicit InfillRows(BlockSize size);

  const InfillGrid& grid(GridSize grid) const { return grids_[slot(grid)]; }

 private:
  static constexpr unsigned kEdge = 13;
  static unsigned slot(GridSize grid) { return grid.y * kEdge + grid.x; }

  std::vector<InfillGrid> grids_;
};

// Made at first use.
const InfillRows& infill_rows(BlockSize size);

}  // namespace tessera::astc
