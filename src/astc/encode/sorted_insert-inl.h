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

// Puts an entry where its cost belongs, behind those of the same cost, and drops the last one: of
// equal costs, those that came first stay first, however many come.
TESSERA_INLINE void insert_sorted(F32 cost, I32 entry, unsigned count, F32* costs, I32* entries) {
  F32 cost_here = costs[count - 1];
  LaneMask is_before = cost < cost_here;
  // For a single one the test costs more than it saves.
  if (count > 1 && !lanes::any_lane(is_before)) {
    return;
  }
  // From the last one on: each takes the one before it, the new one, or stays.
  I32 entry_here = entries[count - 1];
  TESSERA_LOOP
  for (unsigned i = count - 1; i > 0; --i) {
    const F32 cost_above = costs[i - 1];
    const I32 entry_above = entries[i - 1];
    const LaneMask is_before_above = cost < cost_above;
    costs[i] = lanes::max(cost_above, lanes::min(cost, cost_here));
    entries[i] =
        lanes::select(is_before_above, entry_above, lanes::select(is_before, entry, entry_here));
    cost_here = cost_above;
    entry_here = entry_above;
    is_before = is_before_above;
  }
  costs[0] = lanes::min(cost, cost_here);
  entries[0] = lanes::select(is_before, entry, entry_here);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_SORTED_INSERT_INL_H_
