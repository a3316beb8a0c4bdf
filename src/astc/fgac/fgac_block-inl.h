// The method fgac for one block, by the lanes of a warp. Lanes 0…15 and 16…31 hold the sixteen
// texels twice, so that two block modes, and later two candidates, are looked at together.
//
//   1. A line through the mean; texels projected on it give ideal weights.
//   2. What each endpoint mode would lose (luminance, RGB scale, dropped alpha), and with it the
//      least error of every colour range and count of integers, one range per lane.
//   3. Each block mode: rounding of the weights, the best count of integers beside it; a list of
//      the four best is kept in place.
//   4. The four are encoded and measured; the best is written.
//
// A Warp has:
//   PerLane<T>              a T for each lane, reached with [lane]
//   shared                  floats that all lanes see
//   each_lane(work)         calls work(lane) for each lane; what follows sees what lanes have
//   written sum, least, most        of the sixteen lanes of a half, in the order of a butterfly;
//   all lanes of
//                           the half get it
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "astc/cuda/picture.h"
#include "astc/fgac/fgac_endpoints.h"

namespace tessera::astc {

struct FgacSettings {
  uint32_t candidates = 4;    // 1…4 block modes that are encoded and measured
  bool has_all_modes = true;  // six endpoint modes; else RGB and RGBA alone
  bool refits = true;         // endpoints are fitted to the rounded weights
};

inline constexpr unsigned kFgacListLength = 6;  // four kept, two new ones
// Errors and endpoint modes by range and count, the list, and the errors of four candidates.
inline constexpr unsigned kFgacSharedFloats =
    2 * kRangeCount * kFgacCounts + 3 * kFgacListLength + 4 + kFgacTexels;

template <class Warp>
class FgacEncoder {
 public:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

  TESSERA_DEVICE_CODE FgacEncoder(Warp& warp, const FgacTables& tables,
                                  const FgacSettings& settings)
      : warp_(warp), tables_(tables), settings_(settings) {}

  TESSERA_DEVICE_CODE void encode(const Picture& picture, uint32_t number, Block128& out) {
    const bool is_constant = load(picture, number);
    if (is_constant) {
      warp_.each_lane([&](unsigned lane) {
        if (lane == 0) {
          out = constant(texels_[lane].texel);
        }
      });
      return;
    }
    find_line();
    estimate_modes();
    list_candidates();
    measure_candidates();
    write(out);
  }

 private:
  // Parts of the shared memory.
  TESSERA_DEVICE_CODE float* error_of(unsigned range, unsigned count) {
    return warp_.shared + range * kFgacCounts + count;
  }
  TESSERA_DEVICE_CODE float* mode_of(unsigned range, unsigned count) {
    return warp_.shared + (kRangeCount + range) * kFgacCounts + count;
  }
  TESSERA_DEVICE_CODE float* list(unsigned part) {  // errors, modes, counts
    return warp_.shared + 2 * kRangeCount * kFgacCounts + part * kFgacListLength;
  }
  TESSERA_DEVICE_CODE float* trial_errors() { return list(3); }
  TESSERA_DEVICE_CODE float* weight_codes() { return list(3) + 4; }

  template <class Value>
  TESSERA_DEVICE_CODE PerLane<float> sum_of(const Value& value) {
    PerLane<float> values;
    warp_.each_lane([&](unsigned lane) { values[lane] = value(lane); });
    return warp_.sum(values);
  }

  TESSERA_DEVICE_CODE static Block128 constant(const FgacColor& color) {
    Block128 block = {0xFFFFFFFFFFFFFDFCu, 0};
    TESSERA_UNROLLED
    for (unsigned i = 0; i < 4; ++i) {
      block.high |= uint64_t{static_cast<uint32_t>(color.c[i]) * 257u} << (16 * i);
    }
    return block;
  }

  // Texels outside the picture repeat those of its edge. True where all are the same.
  TESSERA_DEVICE_CODE bool load(const Picture& picture, uint32_t number) {
    const uint32_t left = number % picture.across * 4, top = number / picture.across * 4;
    const uint32_t first = picture.texels[top * picture.row_stride + left];
    const PerLane<float> different = sum_of([&](unsigned lane) {
      const uint32_t x = left + lane % 4, y = top + lane / 4 % 4;
      const uint32_t column = x < picture.width ? x : picture.width - 1;
      const uint32_t row = y < picture.height ? y : picture.height - 1;
      const uint32_t word = picture.texels[row * picture.row_stride + column];
      TESSERA_UNROLLED
      for (unsigned i = 0; i < 4; ++i) {
        texels_[lane].texel.c[i] = static_cast<float>((word >> (8 * i)) & 0xFF);
      }
      return word == first ? 0.0f : 1.0f;
    });
    return different[0] == 0.0f;
  }

  TESSERA_DEVICE_CODE void find_line() {
    for (unsigned i = 0; i < 4; ++i) {
      const PerLane<float> sum = sum_of([&](unsigned lane) { return texels_[lane].texel.c[i]; });
      warp_.each_lane([&](unsigned lane) { texels_[lane].mean.c[i] = sum[lane] / 16.0f; });
    }
    choose_direction();
    PerLane<float> projection, scale;
    warp_.each_lane([&](unsigned lane) {
      FgacTexel& own = texels_[lane];
      FgacColor offset;
      TESSERA_UNROLLED
      for (unsigned i = 0; i < 4; ++i) {
        offset.c[i] = own.texel.c[i] - own.mean.c[i];
      }
      own.projection = fgac_dot(offset, own.direction, 4);
      const float length = std::sqrt(fgac_dot(own.mean, own.mean, 3));
      own.scale = length > 1e-6f ? fgac_dot(own.texel, own.mean, 3) / length : 0.0f;
      projection[lane] = own.projection;
      scale[lane] = own.scale;
    });
    const PerLane<float> low = warp_.least(projection), high = warp_.most(projection);
    const PerLane<float> least = warp_.least(scale), most = warp_.most(scale);
    warp_.each_lane([&](unsigned lane) {
      FgacTexel& own = texels_[lane];
      own.low = low[lane];
      own.high = high[lane];
      own.least_scale = least[lane];
      own.most_scale = most[lane];
      const float length = own.high - own.low;
      own.weight = length > 1e-6f ? fgac_clamped((own.projection - own.low) / length, 1.0f) : 0.0f;
    });
  }

  // For each channel, the sum of the offsets from the mean of all texels above it in that channel;
  // the longest sum is the direction.
  TESSERA_DEVICE_CODE void choose_direction() {
    PerLane<float> longest;
    warp_.each_lane([&](unsigned lane) {
      longest[lane] = 1e-6f;
      texels_[lane].direction = {{0.5f, 0.5f, 0.5f, 0.5f}};
    });
    for (unsigned above = 0; above < 4; ++above) {
      PerLane<FgacColor> sums;
      for (unsigned i = 0; i < 4; ++i) {
        const PerLane<float> sum = sum_of([&](unsigned lane) {
          const FgacTexel& own = texels_[lane];
          return own.texel.c[above] > own.mean.c[above] ? own.texel.c[i] - own.mean.c[i] : 0.0f;
        });
        warp_.each_lane([&](unsigned lane) { sums[lane].c[i] = sum[lane]; });
      }
      warp_.each_lane([&](unsigned lane) {
        const float squared = fgac_dot(sums[lane], sums[lane], 4);
        if (squared > longest[lane]) {
          longest[lane] = squared;
          const float length = std::sqrt(squared);
          TESSERA_UNROLLED
          for (unsigned i = 0; i < 4; ++i) {
            texels_[lane].direction.c[i] = sums[lane].c[i] / length;
          }
        }
      });
    }
  }

  // Squared distances from three lines: the block's own, that of its mean colour through black, and
  // grey; and from opaque. The factors are fgac's, who found them by trial.
  TESSERA_DEVICE_CODE void estimate_modes() {
    PerLane<float> own_line, scaled, grey;
    warp_.each_lane([&](unsigned lane) {
      const FgacTexel& own = texels_[lane];
      const float middle = (own.texel.c[0] + own.texel.c[1] + own.texel.c[2]) / 3.0f;
      const float squares = fgac_dot(own.texel, own.texel, 3);
      own_line[lane] = scaled[lane] = grey[lane] = 0.0f;
      TESSERA_UNROLLED
      for (unsigned i = 0; i < 3; ++i) {
        const float rest = own.mean.c[i] + own.projection * own.direction.c[i] - own.texel.c[i];
        own_line[lane] += rest * rest;
        grey[lane] += (own.texel.c[i] - middle) * (own.texel.c[i] - middle);
      }
      const float left = squares - own.scale * own.scale;
      scaled[lane] = left > 0.0f ? left : 0.0f;
    });
    const PerLane<float> line_error = warp_.sum(own_line), scale_sum = warp_.sum(scaled);
    const PerLane<float> grey_sum = warp_.sum(grey);
    const PerLane<float> alpha_error = sum_of([&](unsigned lane) {
      const float missing = 255.0f - texels_[lane].texel.c[3];
      return missing * missing;
    });
    warp_.each_lane([&](unsigned lane) {
      if (lane < kRangeCount) {
        fill_range(lane, (scale_sum[lane] - line_error[lane]) * 0.7f,
                   (grey_sum[lane] - line_error[lane]) * 3.0f, alpha_error[lane]);
      }
    });
  }

  TESSERA_DEVICE_CODE void fill_range(unsigned range, float scale_error, float grey_error,
                                      float alpha_error) {
    const float three = 3.0f * kFgacTexels * tables_.level_error[range];
    const float four = 4.0f * kFgacTexels * tables_.level_error[range];
    const float none = std::numeric_limits<float>::infinity();
    const bool all = settings_.has_all_modes;
    choose_mode(range, 0, all ? three + grey_error + alpha_error : none, EndpointMode::kLuminance,
                none, EndpointMode::kLuminance);
    choose_mode(range, 1, all ? three + scale_error + alpha_error : none, EndpointMode::kRgbScale,
                all ? four + grey_error : none, EndpointMode::kLuminanceAlpha);
    choose_mode(range, 2, three + alpha_error, EndpointMode::kRgb, all ? four + scale_error : none,
                EndpointMode::kRgbScaleAlpha);
    choose_mode(range, 3, four, EndpointMode::kRgba, none, EndpointMode::kRgba);
  }
  TESSERA_DEVICE_CODE void choose_mode(unsigned range, unsigned count, float error1,
                                       EndpointMode mode1, float error2, EndpointMode mode2) {
    *error_of(range, count) = error2 < error1 ? error2 : error1;
    *mode_of(range, count) = static_cast<float>(error2 < error1 ? mode2 : mode1);
  }

  TESSERA_DEVICE_CODE uint32_t weight_rank(float weight, uint32_t mode) const {
    const auto steps = static_cast<float>(tables_.ranges[tables_.modes[mode].range].levels - 1);
    return static_cast<uint32_t>(weight * steps + 0.5f);
  }

  // Two block modes at a time, each by half of the warp.
  TESSERA_DEVICE_CODE void list_candidates() {
    warp_.each_lane([&](unsigned lane) {
      if (lane < kFgacListLength) {
        list(0)[lane] = std::numeric_limits<float>::infinity();
        list(1)[lane] = 0.0f;
        list(2)[lane] = 3.0f;
      }
    });
    for (uint32_t first = 0; first < tables_.mode_count; first += 2) {
      const PerLane<float> weight_error = sum_of([&](unsigned lane) {
        const uint32_t mode = first + lane / 16;
        if (mode >= tables_.mode_count) {
          return 0.0f;
        }
        const FgacTexel& own = texels_[lane];
        const uint32_t rank = weight_rank(own.weight, mode);
        const float difference =
            static_cast<float>(tables_.weight_value[tables_.modes[mode].range][rank]) / 64.0f -
            own.weight;
        return difference * difference * (own.high - own.low) * (own.high - own.low);
      });
      PerLane<float> errors;
      warp_.each_lane([&](unsigned lane) {
        const uint32_t mode = first + lane / 16;
        errors[lane] = std::numeric_limits<float>::infinity();
        if (mode < tables_.mode_count && lane % 16 < kFgacCounts) {
          const uint8_t level = tables_.modes[mode].color_level[lane % 16];
          errors[lane] = level == kNoLevel ? errors[lane] : *error_of(level, lane % 16);
        }
      });
      const PerLane<float> least = warp_.least(errors);
      keep_best(first, weight_error, errors, least);
    }
  }

  // The new two go behind the four that are kept, and all six find their rank.
  TESSERA_DEVICE_CODE void keep_best(uint32_t first, const PerLane<float>& weight_error,
                                     const PerLane<float>& errors, const PerLane<float>& least) {
    warp_.each_lane([&](unsigned lane) {
      if (lane % 16 == 0) {
        const uint32_t half = lane / 16;
        list(0)[4 + half] = least[lane] + weight_error[lane];
        list(1)[4 + half] = static_cast<float>(first + half);
        list(2)[4 + half] = 4.0f;
      }
    });
    // Of counts with the same error the lowest: written one after the other, from the highest on.
    for (unsigned count = kFgacCounts; count-- > 0;) {
      warp_.each_lane([&](unsigned lane) {
        if (lane % 16 == count && errors[lane] == least[lane]) {
          list(2)[4 + lane / 16] = static_cast<float>(count);
        }
      });
    }
    PerLane<FgacColor> entry;
    PerLane<uint32_t> rank;
    warp_.each_lane([&](unsigned lane) {
      if (lane < kFgacListLength) {
        entry[lane] = {{list(0)[lane], list(1)[lane], list(2)[lane], 0.0f}};
        rank[lane] = 0;
        for (unsigned other = 0; other < kFgacListLength; ++other) {
          const float error = list(0)[other];
          rank[lane] += error < entry[lane].c[0] || (error == entry[lane].c[0] && other < lane);
        }
      }
    });
    warp_.each_lane([&](unsigned lane) {
      if (lane < kFgacListLength) {
        for (unsigned part = 0; part < 3; ++part) {
          list(part)[rank[lane]] = entry[lane].c[part];
        }
      }
    });
  }

  // Two candidates at a time.
  TESSERA_DEVICE_CODE void measure_candidates() {
    for (uint32_t first = 0; first < 4; first += 2) {
      PerLane<uint32_t> place;
      warp_.each_lane([&](unsigned lane) { place[lane] = first + lane / 16; });
      try_candidates(place);
      warp_.each_lane([&](unsigned lane) {
        if (lane % 16 == 0) {
          const bool counts = place[lane] < settings_.candidates &&
                              list(0)[place[lane]] < std::numeric_limits<float>::infinity();
          trial_errors()[place[lane]] =
              counts ? trials_[lane].error : std::numeric_limits<float>::infinity();
        }
      });
    }
  }

  TESSERA_DEVICE_CODE void write(Block128& out) {
    PerLane<uint32_t> place;
    warp_.each_lane([&](unsigned lane) {
      place[lane] = 0;
      for (unsigned i = 1; i < 4; ++i) {
        place[lane] = trial_errors()[i] < trial_errors()[place[lane]] ? i : place[lane];
      }
    });
    try_candidates(place);
    warp_.each_lane([&](unsigned lane) {
      if (lane < 16) {
        const unsigned range = tables_.modes[trials_[lane].block.mode].range;
        weight_codes()[lane] = tables_.weight_code[range][trials_[lane].weight_rank];
      }
    });
    warp_.each_lane([&](unsigned lane) {
      if (lane == 0) {
        FgacBlock block = trials_[lane].block;
        for (unsigned i = 0; i < kFgacTexels; ++i) {
          block.weights[i] = static_cast<uint8_t>(weight_codes()[i]);
        }
        out = pack_fgac(tables_, block);
      }
    });
  }

  // Encodes the candidates at these places of the list, one in each half.
  TESSERA_DEVICE_CODE void try_candidates(const PerLane<uint32_t>& place) {
    PerLane<FgacEndpoints> ends;
    warp_.each_lane([&](unsigned lane) {
      FgacTrial& trial = trials_[lane];
      trial.block.mode = static_cast<uint32_t>(list(1)[place[lane]]);
      const auto count = static_cast<uint32_t>(list(2)[place[lane]]);
      const uint8_t level = tables_.modes[trial.block.mode].color_level[count];
      trial.block.color_level = level == kNoLevel ? kRangeCount - 1 : level;
      trial.block.endpoint_mode = static_cast<uint32_t>(*mode_of(trial.block.color_level, count));
      trial.weight_rank = weight_rank(texels_[lane].weight, trial.block.mode);
    });
    fit_endpoints(ends);
    const PerLane<float> error = sum_of([&](unsigned lane) {
      round_fgac_endpoints(tables_, texels_[lane], ends[lane], trials_[lane]);
      return fgac_error(tables_, texels_[lane].texel, ends[lane], trials_[lane]);
    });
    warp_.each_lane([&](unsigned lane) { trials_[lane].error = error[lane]; });
  }

  TESSERA_DEVICE_CODE float rounded_weight(unsigned lane) const {
    const FgacTrial& trial = trials_[lane];
    return static_cast<float>(
        tables_.weight_value[tables_.modes[trial.block.mode].range][trial.weight_rank]);
  }

  // Least squares with the weights as they are rounded.
  TESSERA_DEVICE_CODE void fit_endpoints(PerLane<FgacEndpoints>& ends) {
    const PerLane<float> high_high = sum_of([&](unsigned lane) {
      return rounded_weight(lane) / 64.0f * (rounded_weight(lane) / 64.0f);
    });
    const PerLane<float> high = sum_of([&](unsigned lane) { return rounded_weight(lane) / 64.0f; });
    for (unsigned i = 0; i < 4; ++i) {
      const PerLane<float> with_high = sum_of(
          [&](unsigned lane) { return rounded_weight(lane) / 64.0f * texels_[lane].texel.c[i]; });
      warp_.each_lane([&](unsigned lane) {
        const FgacTexel& own = texels_[lane];
        const float low_high = high[lane] - high_high[lane];
        const float low_low = 16.0f - 2.0f * high[lane] + high_high[lane];
        const float with_low = 16.0f * own.mean.c[i] - with_high[lane];
        const float determinant = low_low * high_high[lane] - low_high * low_high;
        float a = own.mean.c[i] + own.direction.c[i] * own.low;
        float b = own.mean.c[i] + own.direction.c[i] * own.high;
        if (settings_.refits && determinant > 1e-3f) {
          a = (high_high[lane] * with_low - low_high * with_high[lane]) / determinant;
          b = (low_low * with_high[lane] - low_high * with_low) / determinant;
        }
        ends[lane].low.c[i] = fgac_clamped(a, 255.0f);
        ends[lane].high.c[i] = fgac_clamped(b, 255.0f);
      });
    }
  }

  Warp& warp_;
  const FgacTables& tables_;
  FgacSettings settings_;
  PerLane<FgacTexel> texels_;
  PerLane<FgacTrial> trials_;
};

// An item is a block.
struct EncodeFgac {
  Picture picture;
  const FgacTables* tables;
  FgacSettings settings;
  Block128* out;

  template <class Warp>
  TESSERA_DEVICE_CODE void operator()(uint32_t item, Warp& warp) const {
    FgacEncoder<Warp> encoder(warp, *tables, settings);
    encoder.encode(picture, item, out[item]);
  }
};

}  // namespace tessera::astc
