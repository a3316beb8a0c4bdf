// Lists of the best so far, one per lane, best first.
#if defined(TESSERA_ASTC_SORTED_INSERT_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_SORTED_INSERT_INL_H_
#undef TESSERA_ASTC_SORTED_INSERT_INL_H_
#else
#define TESSERA_ASTC_SORTED_INSERT_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Puts an entry where its cost belongs and drops the last one. The new entry goes behind those of
// the same cost. What it displaces moves down by the same rule, so that of displaced entries with
// equal costs the first one ends up behind the others: the order among equals is defined, and the
// same on every target, but it is not the order of arrival.
TESSERA_INLINE void insert_sorted(F32 cost, I32 entry, unsigned count, F32* costs, I32* entries) {
  // For a single one the test costs more than it saves.
  if (count > 1 && !lanes::any_lane(cost < costs[count - 1])) {
    return;
  }
  for (unsigned i = 0; i < count; ++i) {
    const LaneMask better = cost < costs[i];
    const F32 next_cost = lanes::max(cost, costs[i]);
    costs[i] = lanes::min(cost, costs[i]);
    cost = next_cost;
    const I32 next_entry = lanes::select(better, entries[i], entry);
    entries[i] = lanes::select(better, entry, entries[i]);
    entry = next_entry;
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_SORTED_INSERT_INL_H_
