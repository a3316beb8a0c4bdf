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
  LaneMask is_before = cost < costs[count - 1];  // entry i
  // For a single one the test costs more than it saves.
  if (count > 1 && !lanes::any_lane(is_before)) {
    return;
  }
  // From the last one on: each takes the one before it, the new one, or stays.
  for (unsigned i = count - 1; i > 0; --i) {
    const LaneMask is_before_previous = cost < costs[i - 1];
    costs[i] = lanes::max(costs[i - 1], lanes::min(cost, costs[i]));
    entries[i] = lanes::select(is_before_previous, entries[i - 1],
                               lanes::select(is_before, entry, entries[i]));
    is_before = is_before_previous;
  }
  costs[0] = lanes::min(cost, costs[0]);
  entries[0] = lanes::select(is_before, entry, entries[0]);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_SORTED_INSERT_INL_H_
