// Endpoints of the method fgac: what is known of a block's texels, and rounding of endpoints to
// stored codes in each of six endpoint modes.
#pragma once

#include <cmath>
#include <cstdint>

#include "astc/fgac/fgac_pack.h"
#include "astc/format/color_endpoints.h"

namespace tessera::astc {

struct FgacColor {
  float c[4];
};

struct FgacEndpoints {
  FgacColor low, high;
};

// What lanes know of their texel and the block; all but texel and weight are the same in all.
struct FgacTexel {
  FgacColor texel, mean, direction;
  float projection, low, high;
  float weight;       // 0…1, ideal
  float scale;        // along the mean colour
  float least_scale;  // of all texels
  float most_scale;
};

// One candidate, encoded.
struct FgacTrial {
  FgacBlock block;  // without weights
  uint32_t weight_rank;
  float error;  // of the whole block, squared 8-bit steps
};

TESSERA_DEVICE_CODE float fgac_dot(const FgacColor& a, const FgacColor& b, unsigned channels) {
  float sum = 0.0f;
  TESSERA_UNROLLED
  for (unsigned i = 0; i < 4; ++i) {
    sum += i < channels ? a.c[i] * b.c[i] : 0.0f;
  }
  return sum;
}
TESSERA_DEVICE_CODE float fgac_clamped(float value, float most) {
  return value < 0.0f ? 0.0f : value > most ? most : value;
}

// The value that stands for `value` in the trial's colour range; notes its code.
TESSERA_DEVICE_CODE float fgac_stored(const FgacTables& tables, float value, unsigned place,
                                      FgacTrial& trial) {
  const unsigned level = trial.block.color_level;
  const uint8_t code = tables.color_code[level][static_cast<unsigned>(value + 0.5f)];
  trial.block.colors[place] = code;
  return static_cast<float>(tables.color_value[level][code]);
}

TESSERA_DEVICE_CODE void round_fgac_grey(const FgacTables& tables, FgacEndpoints& ends,
                                         FgacTrial& trial) {
  const bool has_alpha =
      trial.block.endpoint_mode == static_cast<uint32_t>(EndpointMode::kLuminanceAlpha);
  const float low =
      fgac_stored(tables, (ends.low.c[0] + ends.low.c[1] + ends.low.c[2]) / 3.0f, 0, trial);
  const float high =
      fgac_stored(tables, (ends.high.c[0] + ends.high.c[1] + ends.high.c[2]) / 3.0f, 1, trial);
  const float low_alpha = has_alpha ? fgac_stored(tables, ends.low.c[3], 2, trial) : 255.0f;
  const float high_alpha = has_alpha ? fgac_stored(tables, ends.high.c[3], 3, trial) : 255.0f;
  ends = {{{low, low, low, low_alpha}}, {{high, high, high, high_alpha}}};
}

// The brightest texel along the mean colour, and how much darker the darkest is.
TESSERA_DEVICE_CODE void round_fgac_scaled(const FgacTables& tables, const FgacTexel& own,
                                           FgacEndpoints& ends, FgacTrial& trial) {
  const bool has_alpha =
      trial.block.endpoint_mode == static_cast<uint32_t>(EndpointMode::kRgbScaleAlpha);
  const float length = std::sqrt(fgac_dot(own.mean, own.mean, 3));
  const float most = own.most_scale > 1e-6f ? own.most_scale : 1e-6f;
  const float ratio = fgac_clamped(own.least_scale / most, 1.0f) * 256.0f;
  float base[3];
  TESSERA_UNROLLED
  for (unsigned i = 0; i < 3; ++i) {
    base[i] = fgac_stored(
        tables, fgac_clamped(length > 1e-6f ? own.mean.c[i] / length * most : 0.0f, 255.0f), i,
        trial);
  }
  const auto scale =
      static_cast<uint32_t>(fgac_stored(tables, fgac_clamped(ratio, 255.0f), 3, trial));
  TESSERA_UNROLLED
  for (unsigned i = 0; i < 3; ++i) {
    ends.low.c[i] = static_cast<float>(static_cast<uint32_t>(base[i]) * scale >> 8);
    ends.high.c[i] = base[i];
  }
  ends.low.c[3] = has_alpha ? fgac_stored(tables, ends.low.c[3], 4, trial) : 255.0f;
  ends.high.c[3] = has_alpha ? fgac_stored(tables, ends.high.c[3], 5, trial) : 255.0f;
}

// Where the second endpoint came out darker, the decoder would take the pair for one with
// contracted blue: both and all weights are turned round.
TESSERA_DEVICE_CODE void round_fgac_direct(const FgacTables& tables, FgacEndpoints& ends,
                                           FgacTrial& trial) {
  const unsigned channels =
      trial.block.endpoint_mode == static_cast<uint32_t>(EndpointMode::kRgba) ? 4 : 3;
  TESSERA_UNROLLED
  for (unsigned i = 0; i < 4; ++i) {
    ends.low.c[i] = i < channels ? fgac_stored(tables, ends.low.c[i], 2 * i, trial) : 255.0f;
    ends.high.c[i] = i < channels ? fgac_stored(tables, ends.high.c[i], 2 * i + 1, trial) : 255.0f;
  }
  const float low = ends.low.c[0] + ends.low.c[1] + ends.low.c[2];
  const float high = ends.high.c[0] + ends.high.c[1] + ends.high.c[2];
  if (high < low) {
    const FgacColor first = ends.low;
    ends.low = ends.high;
    ends.high = first;
    TESSERA_UNROLLED
    for (unsigned i = 0; i < 4; ++i) {
      const uint8_t code = trial.block.colors[2 * i];
      trial.block.colors[2 * i] = trial.block.colors[2 * i + 1];
      trial.block.colors[2 * i + 1] = code;
    }
    const unsigned range = tables.modes[trial.block.mode].range;
    trial.weight_rank = tables.ranges[range].levels - 1 - trial.weight_rank;
  }
}

// Endpoints become what the decoder will see.
TESSERA_DEVICE_CODE void round_fgac_endpoints(const FgacTables& tables, const FgacTexel& own,
                                              FgacEndpoints& ends, FgacTrial& trial) {
  switch (static_cast<EndpointMode>(trial.block.endpoint_mode)) {
    case EndpointMode::kLuminance:
    case EndpointMode::kLuminanceAlpha:
      return round_fgac_grey(tables, ends, trial);
    case EndpointMode::kRgbScale:
    case EndpointMode::kRgbScaleAlpha:
      return round_fgac_scaled(tables, own, ends, trial);
    default:
      return round_fgac_direct(tables, ends, trial);
  }
}

// In the decoder's integers.
TESSERA_DEVICE_CODE float fgac_error(const FgacTables& tables, const FgacColor& texel,
                                     const FgacEndpoints& ends, const FgacTrial& trial) {
  const uint32_t weight =
      tables.weight_value[tables.modes[trial.block.mode].range][trial.weight_rank];
  float error = 0.0f;
  TESSERA_UNROLLED
  for (unsigned i = 0; i < 4; ++i) {
    const uint32_t low = static_cast<uint32_t>(ends.low.c[i]) * 257;
    const uint32_t high = static_cast<uint32_t>(ends.high.c[i]) * 257;
    const uint32_t mixed = (low * (64 - weight) + high * weight + 32) >> 6;
    const float difference = static_cast<float>(mixed >> 8) - texel.c[i];
    error += difference * difference;
  }
  return error;
}

}  // namespace tessera::astc
