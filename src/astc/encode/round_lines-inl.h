// The ends of a block's lines, one line per partition, become stored codes in the ways that the
// block's family allows.
#if defined(TESSERA_ASTC_ROUND_LINES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_ROUND_LINES_INL_H_
#undef TESSERA_ASTC_ROUND_LINES_INL_H_
#else
#define TESSERA_ASTC_ROUND_LINES_INL_H_
#endif

#include "astc/encode/endpoints-inl.h"
#include "astc/encode/families.h"
#include "astc/encode/pack-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The two ends of a line, before rounding, and how the error grows when they are moved.
template <unsigned kSlots>
struct Line {
  F32 low[kSlots], high[kSlots];
  ErrorForm form[kSlots];
};

// How all partitions of the lanes' blocks are to be rounded.
struct RoundingTask {
  const ColorCodeTables& colors;
  const Family& family;
  I32 first_color_entry;  // of the lanes' colour ranges, see color_codes.h
  unsigned partitions;
  bool tries_offsets;
  // Where modes are mixed: the lanes whose partition is stored the reduced way, and, in families
  // with modes for them, those whose partition has no alpha.
  const LaneMask* reduced;
  const LaneMask* opaque;
  // Endpoints are those of HDR, and so may be alpha.
  bool is_hdr = false;
  bool hdr_alpha = false;

  constexpr EndpointMode mode_of(ColorStorage storage) const {
    return is_hdr ? family.hdr_endpoint_mode(storage, hdr_alpha) : family.endpoint_mode(storage);
  }
};

template <unsigned kSlots, unsigned kParts>
struct RoundedLines {
  Endpoints<kSlots> ends[kParts];
  LaneMask has_offsets[kParts];  // the mode is the one with offsets
};

template <unsigned kSlots>
TESSERA_INLINE void take_ends(LaneMask better, const Endpoints<kSlots>& from,
                              Endpoints<kSlots>& to) {
  take_decoded(better, from, to);
  for (unsigned i = 0; i < 2 * kSlots; ++i) {
    to.codes[i] = lanes::select(better, from.codes[i], to.codes[i]);
  }
}

// Lines of all partitions, in the lanes of a mask.
template <unsigned kSlots, unsigned kParts>
TESSERA_SHARED void take_lines(LaneMask taken, unsigned partitions,
                               const RoundedLines<kSlots, kParts>& from,
                               RoundedLines<kSlots, kParts>& to) {
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < partitions; ++p) {
    take_ends(taken, from.ends[p], to.ends[p]);
    to.has_offsets[p] = (taken & from.has_offsets[p]) | (!taken & to.has_offsets[p]);
  }
}

// Endpoints as offsets, where they are better: all partitions of a block together if they share a
// mode, else each by itself.
template <unsigned kSlots, unsigned kParts>
TESSERA_RARE void try_offsets(const RoundingTask& task, const Line<kSlots>* lines,
                              RoundedLines<kSlots, kParts>& result) {
  const ColorCodes codes = {task.colors.nearest.data(), task.first_color_entry};
  Endpoints<kSlots> offset[kParts];
  F32 gain = all_lanes_f32(0);
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
    if constexpr (kSlots == 1) {
      quantize_luminance_offset(lines[p].low, lines[p].high, lines[p].form, codes,
                                {task.colors.nearest_in_quarter.data(), task.first_color_entry},
                                offset[p]);
    } else {
      quantize_offset_endpoints<kSlots>(
          lines[p].low, lines[p].high, lines[p].form, codes,
          {task.colors.nearest_in_half.data(), task.first_color_entry}, offset[p]);
    }
    result.has_offsets[p] = offset[p].error < result.ends[p].error;
    gain = gain + (result.ends[p].error - offset[p].error);
  }
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
    if (!task.family.mixes_modes()) {
      result.has_offsets[p] = gain > all_lanes_f32(0);
    }
    take_ends(result.has_offsets[p], offset[p], result.ends[p]);
  }
}

template <unsigned kSlots>
TESSERA_INLINE void round_reduced_line(ColorStorage storage, const Line<kSlots>& line,
                                       const ColorCodes& codes, Endpoints<kSlots>& ends) {
  if (storage == ColorStorage::kScaled) {
    quantize_scaled_endpoints<kSlots>(line.low, line.high, line.form, codes, ends);
  } else {
    quantize_grey_endpoints<kSlots>(line.low, line.high, line.form, codes, ends);
  }
}

// A reduced way's values, used for a colour without alpha (Family::opaque_endpoint_mode).
TESSERA_INLINE void round_opaque_line(ColorStorage storage, const Line<4>& line,
                                      const ColorCodes& codes, Endpoints<4>& ends) {
  Endpoints<3> color;
  if (storage == ColorStorage::kScaled) {
    quantize_rgb_endpoints<3>(line.low, line.high, line.form, codes, color);
  } else {
    quantize_scaled_endpoints<3>(line.low, line.high, line.form, codes, color);
  }
  add_opaque_alpha(color, ends);
  for (unsigned i = 0; i < 6; ++i) {
    ends.codes[i] = color.codes[i];
  }
  ends.codes[6] = ends.codes[7] = all_lanes(0);  // not stored
}

// The way of storing of partition p, with lanes that have no alpha apart.
template <unsigned kSlots>
TESSERA_INLINE void round_part(const RoundingTask& task, ColorStorage storage, unsigned p,
                               const Line<kSlots>& line, const ColorCodes& codes,
                               Endpoints<kSlots>& ends) {
  round_reduced_line<kSlots>(storage, line, codes, ends);
  if constexpr (kSlots == 4) {
    if (task.family.has_opaque_modes() && lanes::any_lane(task.opaque[p])) {
      Endpoints<4> opaque;
      round_opaque_line(storage, line, codes, opaque);
      take_ends(task.opaque[p], opaque, ends);
    }
  }
}

template <unsigned kSlots, unsigned kParts>
TESSERA_INLINE void round_lines(const RoundingTask& task, const Line<kSlots>* lines,
                                RoundedLines<kSlots, kParts>& result) {
  const ColorCodes codes = {task.colors.nearest.data(), task.first_color_entry};
  const ColorStorage storage = task.family.storage();
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
    result.has_offsets[p] = lanes::every_lane(false);
  }
  if (kSlots < 3 || storage == ColorStorage::kPair) {
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
      quantize_endpoints<kSlots>(lines[p].low, lines[p].high, lines[p].form, codes, result.ends[p]);
    }
    if (task.tries_offsets) {
      try_offsets(task, lines, result);
    }
  } else if constexpr (kSlots >= 3) {
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
      round_part<kSlots>(task, storage, p, lines[p], codes, result.ends[p]);
    }
  }
  if constexpr (kSlots >= 3 && kParts > 1) {
    TESSERA_UNROLL
    for (unsigned p = 0; task.family.mixes_modes() && p < task.partitions; ++p) {
      Endpoints<kSlots> reduced;
      round_part<kSlots>(task, task.family.reduced_storage(), p, lines[p], codes, reduced);
      take_ends(task.reduced[p], reduced, result.ends[p]);
      result.has_offsets[p] = result.has_offsets[p] & !task.reduced[p];
    }
  }
}

// The endpoint modes as the block stores them: one for all, or a class bit and two more bits each
// (block_layout.h).
template <unsigned kSlots, unsigned kParts>
TESSERA_INLINE I32 mode_fields(const RoundingTask& task,
                               const RoundedLines<kSlots, kParts>& rounded) {
  const auto bit = [](LaneMask mask) { return lanes::zero_unless(mask, all_lanes(1)); };
  const auto number = [](unsigned n) { return all_lanes(static_cast<int32_t>(n)); };
  const EndpointMode mode = task.mode_of(task.family.storage());
  if (!task.family.mixes_modes()) {
    // The mode with offsets is one higher.
    return number(static_cast<unsigned>(mode)) + bit(rounded.has_offsets[0]);
  }
  // The number within the class of the mode for a way of storing.
  const auto in_class = [&](ColorStorage storage, unsigned p) {
    const I32 usual = number(Family::mode_in_class(task.mode_of(storage)));
    if (!task.family.has_opaque_modes() || storage == ColorStorage::kPair) {
      return usual;
    }
    const I32 opaque = number(Family::mode_in_class(Family::opaque_endpoint_mode(storage)));
    return lanes::select(task.opaque[p], opaque, usual);
  };
  I32 fields = all_lanes(0);
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
    const LaneMask full = !task.reduced[p];
    const I32 mode_in_class =
        lanes::select(full, in_class(task.family.storage(), p) + bit(rounded.has_offsets[p]),
                      in_class(task.family.reduced_storage(), p));
    fields = fields | lanes::shift_left(bit(full), static_cast<int>(p)) |
             lanes::shift_left(mode_in_class, static_cast<int>(task.partitions + 2 * p));
  }
  return fields;
}

// The codes of all partitions in stored order. Where modes are mixed, the lanes of each choice of
// reduced partitions have an order of their own.
template <unsigned kSlots, unsigned kParts>
TESSERA_INLINE void stored_codes(const RoundingTask& task,
                                 const RoundedLines<kSlots, kParts>& rounded, I32* codes) {
  const unsigned full = task.family.values_of_part(task.family.storage());
  if (!task.family.mixes_modes()) {
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
      TESSERA_UNROLL
      for (unsigned i = 0; i < 2 * kSlots && i < full; ++i) {
        codes[p * full + i] = rounded.ends[p].codes[i];
      }
    }
    return;
  }
  for (unsigned i = 0; i < task.family.color_values(); ++i) {
    codes[i] = all_lanes(0);
  }
  for (unsigned reduced_parts = 1; reduced_parts + 1 < 1u << task.partitions; ++reduced_parts) {
    LaneMask chosen = lanes::every_lane(true);
    unsigned count = 0;
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
      const bool is_reduced = (reduced_parts >> p & 1) != 0;
      chosen = chosen & (is_reduced ? task.reduced[p] : !task.reduced[p]);
      count += is_reduced ? 1u : 0u;
    }
    if (count != task.family.reduced_count()) {
      continue;
    }
    for (unsigned p = 0, next = 0; p < task.partitions; ++p) {
      const unsigned values = (reduced_parts >> p & 1) != 0 ? full - 2 : full;
      for (unsigned i = 0; i < values; ++i, ++next) {
        codes[next] = lanes::select(chosen, rounded.ends[p].codes[i], codes[next]);
      }
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_ROUND_LINES_INL_H_
