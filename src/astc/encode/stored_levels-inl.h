// What the decoder makes of stored colour values: for fits that try the neighbours of what least
// squares and rounding found.
#if defined(TESSERA_ASTC_STORED_LEVELS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_STORED_LEVELS_INL_H_
#undef TESSERA_ASTC_STORED_LEVELS_INL_H_
#else
#define TESSERA_ASTC_STORED_LEVELS_INL_H_
#endif

#include "astc/encode/color_codes.h"
#include "astc/encode/endpoints-inl.h"
#include "astc/encode/families.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Two colours, straight or blue contracted as their order tells.
template <unsigned kSlots>
TESSERA_SHARED void decode_pair(const F32* values, Endpoints<kSlots>& ends) {
  for (unsigned i = 0; i < kSlots; ++i) {
    ends.low[i] = values[2 * i];
    ends.high[i] = values[2 * i + 1];
  }
  if constexpr (kSlots >= 3) {
    const LaneMask contracted =
        ends.high[0] + ends.high[1] + ends.high[2] < ends.low[0] + ends.low[1] + ends.low[2];
    for (unsigned i = 0; i < kSlots; ++i) {
      F32 first = ends.low[i], second = ends.high[i];
      if (i < 2) {
        first = half_rounded_down(first + values[4]);
        second = half_rounded_down(second + values[5]);
      }
      ends.low[i] = lanes::select(contracted, second, ends.low[i]);
      ends.high[i] = lanes::select(contracted, first, ends.high[i]);
    }
  }
}

// One colour and a factor; alpha, if any, as two values.
template <unsigned kSlots>
TESSERA_INLINE void decode_scaled(const F32* values, Endpoints<kSlots>& ends) {
  for (unsigned i = 0; i < 3; ++i) {
    ends.high[i] = values[i];
    ends.low[i] = lanes::truncate(values[i] * values[3] * all_lanes_f32(1.0F / 256));
  }
  if constexpr (kSlots == 4) {
    ends.low[3] = values[4];
    ends.high[3] = values[5];
  }
}

// The levels of stored codes; `values` is ColorCodeTables::level_of_code.
template <unsigned kSlots>
TESSERA_SHARED void stored_levels(const ColorCodes& values, const Endpoints<kSlots>& ends,
                                  F32* levels) {
  for (unsigned i = 0; i < 2 * kSlots; ++i) {
    levels[i] = lanes::to_f32(values.entry(ends.codes[i]));
  }
}

// Two luminances; alpha, if any, as two values.
template <unsigned kSlots>
TESSERA_INLINE void decode_greys(const F32* values, Endpoints<kSlots>& ends) {
  for (unsigned i = 0; i < kSlots; ++i) {
    const F32* const pair = values + (i == 3 ? 2 : 0);
    ends.low[i] = pair[0];
    ends.high[i] = pair[1];
  }
}

template <unsigned kSlots>
TESSERA_INLINE void decode_stored(ColorStorage storage, const F32* values,
                                  Endpoints<kSlots>& ends) {
  if constexpr (kSlots >= 3) {
    if (storage == ColorStorage::kScaled) {
      decode_scaled<kSlots>(values, ends);
      return;
    }
    if (storage == ColorStorage::kGrey) {
      decode_greys<kSlots>(values, ends);
      return;
    }
  }
  decode_pair<kSlots>(values, ends);
}

// The same for a family with modes for partitions without alpha.
template <unsigned kSlots>
TESSERA_INLINE void decode_part(const Family& family, ColorStorage storage, LaneMask opaque,
                                const F32* values, Endpoints<kSlots>& ends) {
  decode_stored<kSlots>(storage, values, ends);
  if constexpr (kSlots == 4) {
    if (family.has_opaque_modes() && storage != ColorStorage::kPair) {
      Endpoints<3> color;
      if (storage == ColorStorage::kScaled) {
        decode_pair<3>(values, color);
      } else {
        decode_scaled<3>(values, color);
      }
      Endpoints<4> without_alpha;
      add_opaque_alpha(color, without_alpha);
      take_decoded(opaque, without_alpha, ends);
    }
  }
}

// What the decoder makes of the stored levels of a partition. Where the family mixes modes, lanes
// of `reduced` are stored the reduced way.
template <unsigned kSlots>
TESSERA_RARE void decode_levels(const Family& family, LaneMask reduced, LaneMask opaque,
                                const F32* levels, Endpoints<kSlots>& ends) {
  decode_part<kSlots>(family, family.storage(), opaque, levels, ends);
  if (kSlots >= 3 && family.mixes_modes()) {
    Endpoints<kSlots> other;
    decode_part<kSlots>(family, family.reduced_storage(), opaque, levels, other);
    take_decoded(reduced, other, ends);
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_STORED_LEVELS_INL_H_
