// Every knob of every ASTC preset, as a table.
#pragma once

#include <optional>

#include "astc/decode/decode_mode.h"
#include "base/preset.h"

namespace tessera::astc {

struct EncodeSettings {
  // What the blocks are meant for. All LDR modes round the same interpolated value, each a little
  // differently, so the fit by least squares serves them alike and does not look at it.
  DecodeMode decode_mode = DecodeMode::kLdrFloat16;
  // Blocks may have two planes of weights: one for a channel of its own, one for the others.
  bool dual_plane = true;
  // Two planes are looked at where this part of the estimated one-plane error is the texels'
  // distance from a line. On photographs, dB and MP/s at 4x4 | 6x6: 0.6 gives 44.04, 104 | 36.74,
  // 131; 0.8 44.03, 114 | 36.66, 135; 0.88 43.99, 127 | 36.56, 145; 0.94 43.74, 138 | 36.44, 151.
  float two_plane_share = 0.88F;
};

// The presets that exist so far; nothing for the others.
constexpr std::optional<EncodeSettings> preset_settings(Preset preset) {
  if (preset == Preset::kRealtime) {
    return EncodeSettings{DecodeMode::kLdrFloat16, true, 0.88F};
  }
  return std::nullopt;
}

}  // namespace tessera::astc
