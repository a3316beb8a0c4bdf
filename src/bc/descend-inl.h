// Descent on the 5:6:5 lattice: move one coordinate of one end by one, keep what is better.
#if defined(TESSERA_BC_DESCEND_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_DESCEND_INL_H_
#undef TESSERA_BC_DESCEND_INL_H_
#else
#define TESSERA_BC_DESCEND_INL_H_
#endif

#include "bc/measure-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

// One coordinate of a 5:6:5 colour: where its bits are and how large it gets.
struct Coordinate {
  int32_t unit, mask;
};
inline constexpr Coordinate kCoordinates[3] = {{1 << 11, 31 << 11}, {1 << 5, 63 << 5}, {1, 31}};

// The colour with one coordinate moved by −1, 0 or 1; unchanged where it would leave its range.
TESSERA_INLINE I32 move_coordinate(I32 color, const Coordinate& coordinate, int direction) {
  if (direction == 0) {
    return color;
  }
  const I32 value = color & all_lanes(coordinate.mask);
  const I32 limit = all_lanes(direction > 0 ? coordinate.mask : 0);
  const I32 moved = color + all_lanes(direction * coordinate.unit);
  return lanes::select(value == limit, color, moved);
}

struct Move {
  int first, second;
};
inline constexpr Move kMoves[8] = {{-1, 0},  {1, 0}, {0, -1}, {0, 1},
                                   {-1, -1}, {1, 1}, {-1, 1}, {1, -1}};

template <int kSteps>
TESSERA_NOINLINE void descend(const BlockLanes& block, const Settings& settings, Fit& fit) {
  const size_t move_count = settings.pair_moves ? 8 : 4;
  for (uint32_t sweep = 0; sweep < settings.descent_sweeps; ++sweep) {
    const I32 before = fit.error4;
    for (const Coordinate& coordinate : kCoordinates) {
      for (size_t m = 0; m < move_count; ++m) {
        const Fit moved =
            measure<kSteps>(block, move_coordinate(fit.first, coordinate, kMoves[m].first),
                            move_coordinate(fit.second, coordinate, kMoves[m].second), settings);
        fit = select(moved.error4 < fit.error4, moved, fit);
      }
    }
    if (!lanes::any_lane(fit.error4 < before)) {
      return;
    }
  }
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_DESCEND_INL_H_
