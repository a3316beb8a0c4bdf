// What a fit reads of its texels: the channels that are stored, each in a slot.
#if defined(TESSERA_ASTC_SLOT_VALUES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_SLOT_VALUES_INL_H_
#undef TESSERA_ASTC_SLOT_VALUES_INL_H_
#else
#define TESSERA_ASTC_SLOT_VALUES_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The channel of a texel that a slot stores.
constexpr unsigned channel_of_slot(unsigned slots, unsigned slot) {
  return slots == 2 && slot == 1 ? 3 : slot;
}

template <unsigned kSlots, bool kPacked>
class SlotValues;

// A number for each slot of a texel.
template <unsigned kSlots>
class SlotValues<kSlots, false> {
 public:
  TESSERA_INLINE F32 at(unsigned slot, unsigned t) const { return values_[slot][t]; }

  // channel(slot) is the channel's number.
  template <class Value, class Channel>
  TESSERA_INLINE void set(unsigned t, const Value& /*texel*/, const Channel& channel) {
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      values_[i][t] = channel(i);
    }
  }

 private:
  F32 values_[kSlots][kLaneTexels];
};

// The texel's four bytes, converted at each use: arrays of a device's thread lie in memory that it
// waits for.
template <unsigned kSlots>
class SlotValues<kSlots, true> {
 public:
  TESSERA_INLINE F32 at(unsigned slot, unsigned t) const {
    return LaneTexels<Rgba8Texels>::channel(texels_[t], channel_of_slot(kSlots, slot));
  }

  template <class Channel>
  TESSERA_INLINE void set(unsigned t, I32 texel, const Channel& /*channel*/) {
    texels_[t] = texel;
  }

 private:
  I32 texels_[kLaneTexels];
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_SLOT_VALUES_INL_H_
