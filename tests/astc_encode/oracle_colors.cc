// Rounds colours to the codes of endpoint modes, for the plain search.
#include "oracle_colors.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <utility>

#include "astc/format/quantization.h"

namespace tessera::astc::oracle {
namespace {

using Codes = std::array<uint8_t, 8>;

constexpr int kMaxOffset = 31;
constexpr int kBaseReach = 4;  // levels about a low value in which bases are tried

uint8_t nearest(const ColorTable& table, double value) {
  return table.nearest_code[static_cast<size_t>(std::clamp(value, 0.0, 255.0) + 0.5)];
}

double red_green_blue(const Color& color) {
  return color[0] + color[1] + color[2];
}

// Codes for offsets: of the first value the decoder keeps the upper seven bits as the lower ones of
// the base, of the second the top bit as the base's top bit and six bits as the offset.
struct OffsetCodes {
  std::array<uint8_t, 128> of_base;                  // by its lower seven bits
  std::array<std::array<uint8_t, 64>, 2> of_offset;  // by the base's top bit, and offset + 32
};

int decoded_offset(int value) {
  const int bits = (value >> 1) & 0x3F;
  return bits >= 32 ? bits - 64 : bits;
}

OffsetCodes make_offset_codes(IntegerRange range) {
  OffsetCodes result{};
  const ColorTable& table = color_table(range);
  const auto best = [&](auto distance) {
    unsigned found = 0;
    for (unsigned code = 1; code < range_levels(range); ++code) {
      if (distance(table.value_of_code[code]) < distance(table.value_of_code[found])) {
        found = code;
      }
    }
    return static_cast<uint8_t>(found);
  };
  for (int base = 0; base < 128; ++base) {
    result.of_base[static_cast<size_t>(base)] =
        best([&](int value) { return std::abs((value >> 1) - base); });
  }
  for (int top = 0; top < 2; ++top) {
    for (int offset = -32; offset < 32; ++offset) {
      result.of_offset[static_cast<size_t>(top)][static_cast<size_t>(offset + 32)] =
          best([&](int value) {
            return std::abs(decoded_offset(value) - offset) + (value >> 7 == top ? 0 : 1000);
          });
    }
  }
  return result;
}

const OffsetCodes& offset_codes(IntegerRange range) {
  static const std::vector<OffsetCodes> tables = [] {
    std::vector<OffsetCodes> made;
    for (unsigned i = range_index(kSmallestColorRange); i < kRangeCount; ++i) {
      made.push_back(make_offset_codes(range_from_index(i)));
    }
    return made;
  }();
  return tables[range_index(range) - range_index(kSmallestColorRange)];
}

bool has_alpha(EndpointMode mode) {
  return mode == EndpointMode::kRgba || mode == EndpointMode::kRgbaOffset ||
         mode == EndpointMode::kRgbScaleAlpha || mode == EndpointMode::kLuminanceAlpha;
}

Codes round_pair(const Color& first, const Color& second, const ColorTable& table) {
  Codes codes{};
  for (unsigned i = 0; i < 4; ++i) {
    codes[2 * i] = nearest(table, first[i]);
    codes[2 * i + 1] = nearest(table, second[i]);
  }
  return codes;
}

// What the decoder turns back by averaging red and green with blue.
Color expand_blue(const Color& c) {
  return {2 * c[0] - c[2], 2 * c[1] - c[2], c[2], c[3]};
}

// The decoder takes the darker colour for the low one. Where rounding has turned the two round, one
// code a level up or down puts them right.
void use_ordered(EndpointMode mode, IntegerRange range, const Codes& codes,
                 const std::function<void(const StoredColors&)>& use) {
  const ColorTable& table = color_table(range);
  const auto value = [&](unsigned i) { return int{table.value_of_code[codes[i]]}; };
  if (value(1) + value(3) + value(5) >= value(0) + value(2) + value(4)) {
    return use(stored_colors(mode, range, codes));
  }
  for (unsigned i = 0; i < 6; ++i) {
    const int rank = table.rank_of_code[codes[i]] + (i % 2 != 0 ? 1 : -1);
    if (rank >= 0 && rank < static_cast<int>(range_levels(range))) {
      Codes moved = codes;
      moved[i] = table.code_of_rank[static_cast<size_t>(rank)];
      use(stored_colors(mode, range, moved));
    }
  }
}

void round_direct(const Segment& segment, EndpointMode mode, IntegerRange range,
                  const std::function<void(const StoredColors&)>& use) {
  const ColorTable& table = color_table(range);
  use_ordered(mode, range, round_pair(segment.low, segment.high, table), use);
  const Color low = expand_blue(segment.low), high = expand_blue(segment.high);
  use(stored_colors(mode, range, round_pair(high, low, table)));
}

// Codes of base and offset of one channel: bases near the low value, each with the offset that then
// leads nearest to the high one.
std::pair<uint8_t, uint8_t> round_channel(double low, double high, IntegerRange range, int reach) {
  const OffsetCodes& tables = offset_codes(range);
  const ColorTable& table = color_table(range);
  std::pair<uint8_t, uint8_t> best;
  double least = std::numeric_limits<double>::max();
  const auto middle = static_cast<int>(std::clamp(low, 0.0, 255.0) + 0.5);
  for (int wanted = std::max(middle - reach, 0); wanted <= std::min(middle + reach, 255);
       ++wanted) {
    const int top = wanted >> 7;
    const uint8_t first = tables.of_base[static_cast<size_t>(wanted & 0x7F)];
    const int base = table.value_of_code[first] >> 1 | top << 7;
    const auto way = static_cast<int>(std::lround(high - base));
    const uint8_t second =
        tables.of_offset[static_cast<size_t>(top)]
                        [static_cast<size_t>(std::clamp(way, -kMaxOffset, kMaxOffset) + 32)];
    const int reached = base + decoded_offset(table.value_of_code[second]);
    const double error = (base - low) * (base - low) + (reached - high) * (reached - high);
    if (error < least) {
      least = error;
      best = {first, second};
    }
  }
  return best;
}

void round_offset(const Segment& segment, EndpointMode mode, IntegerRange range,
                  const std::function<void(const StoredColors&)>& use) {
  const unsigned channels = has_alpha(mode) ? 4 : 3;
  for (unsigned i = 0; i < channels; ++i) {
    if (std::abs(segment.high[i] - segment.low[i]) > kMaxOffset + 2 * kBaseReach) {
      return;
    }
  }
  for (const int reach : {0, kBaseReach}) {
    Codes codes{};
    for (unsigned i = 0; i < channels; ++i) {
      std::tie(codes[2 * i], codes[2 * i + 1]) =
          round_channel(segment.low[i], segment.high[i], range, reach);
    }
    use(stored_colors(mode, range, codes));
  }
}

void round_scaled(const Segment& segment, EndpointMode mode, IntegerRange range,
                  const std::function<Color(double)>& scaled,
                  const std::function<void(const StoredColors&)>& use) {
  const ColorTable& table = color_table(range);
  const double high = red_green_blue(segment.high);
  const double factor = high > 0 ? red_green_blue(segment.low) / high : 0;
  Codes codes{};
  codes[3] = nearest(table, factor * 256);
  const Color color = scaled(table.value_of_code[codes[3]] / 256.0);
  for (unsigned i = 0; i < 3; ++i) {
    codes[i] = nearest(table, color[i]);
  }
  codes[4] = nearest(table, segment.low[3]);
  codes[5] = nearest(table, segment.high[3]);
  use(stored_colors(mode, range, codes));
}

void round_luminance(const Segment& segment, EndpointMode mode, IntegerRange range,
                     const std::function<void(const StoredColors&)>& use) {
  const ColorTable& table = color_table(range);
  Codes codes{};
  codes[0] = nearest(table, red_green_blue(segment.low) / 3);
  codes[1] = nearest(table, red_green_blue(segment.high) / 3);
  codes[2] = nearest(table, segment.low[3]);
  codes[3] = nearest(table, segment.high[3]);
  use(stored_colors(mode, range, codes));
}

constexpr std::array kGreyModes = {EndpointMode::kLuminance};
constexpr std::array kGreyAlphaModes = {EndpointMode::kLuminanceAlpha};
constexpr std::array kRgbModes = {EndpointMode::kRgb, EndpointMode::kRgbOffset,
                                  EndpointMode::kRgbScale};
constexpr std::array kRgbaModes = {EndpointMode::kRgba, EndpointMode::kRgbaOffset,
                                   EndpointMode::kRgbScaleAlpha};
// Where a block has alpha, some of its partitions may have none.
constexpr std::array kSmallRgbModes = {EndpointMode::kRgbScale};
constexpr std::array kSmallRgbaModes = {EndpointMode::kRgbScaleAlpha, EndpointMode::kRgb,
                                        EndpointMode::kRgbOffset};

std::span<const EndpointMode> modes_of(Content content) {
  switch (content) {
    case Content::kGrey:
      return kGreyModes;
    case Content::kGreyAlpha:
      return kGreyAlphaModes;
    case Content::kRgb:
      return kRgbModes;
    case Content::kRgba:
      break;
  }
  return kRgbaModes;
}

}  // namespace

Content content_of(std::span<const Rgba> texels) {
  bool grey = true, opaque = true;
  for (const Rgba& t : texels) {
    grey = grey && t[0] == t[1] && t[1] == t[2];
    opaque = opaque && t[3] == 255;
  }
  if (grey) {
    return opaque ? Content::kGrey : Content::kGreyAlpha;
  }
  return opaque ? Content::kRgb : Content::kRgba;
}

std::span<const EndpointMode> small_modes(Content content) {
  return content == Content::kRgb ? std::span<const EndpointMode>(kSmallRgbModes)
                                  : std::span<const EndpointMode>(kSmallRgbaModes);
}

std::span<const EndpointMode> large_modes(Content content) {
  return modes_of(content).first(2);
}

std::vector<ColorPlan> color_plans(Content content, unsigned partitions, const BlockMode& mode) {
  std::vector<ColorPlan> plans;
  const auto add = [&](ColorPlan plan, unsigned values) {
    if (values > kMaxColorValues) {
      return;
    }
    const int bits =
        color_bit_count(mode.weight_bit_count(), partitions, mode.dual_plane, plan.separate);
    if (const auto range = color_range(values, bits)) {
      plan.range = *range;
      plans.push_back(plan);
    }
  };
  for (const EndpointMode uniform : modes_of(content)) {
    add({false, uniform, 0, {}}, partitions * color_value_count(static_cast<unsigned>(uniform)));
  }
  if (partitions > 1 && modes_of(content).size() > 1) {
    const unsigned least =
        partitions * color_value_count(static_cast<unsigned>(small_modes(content)[0]));
    // Where there is but one small mode, it is that of all partitions among the above.
    for (unsigned large = small_modes(content).size() > 1 ? 0 : 1; large <= partitions; ++large) {
      add({true, {}, large, {}}, least + 2 * large);
    }
  }
  return plans;
}

StoredColors stored_colors(EndpointMode mode, IntegerRange range, const Codes& codes) {
  std::array<uint8_t, 8> values{};
  for (unsigned i = 0; i < color_value_count(static_cast<unsigned>(mode)); ++i) {
    values[i] = color_table(range).value_of_code[codes[i]];
  }
  return {mode, codes, decode_endpoints(mode, values.data())};
}

void round_segment(const Segment& segment, EndpointMode mode, IntegerRange range,
                   const std::function<Color(double)>& scaled,
                   const std::function<void(const StoredColors&)>& use) {
  switch (mode) {
    case EndpointMode::kLuminance:
    case EndpointMode::kLuminanceAlpha:
      return round_luminance(segment, mode, range, use);
    case EndpointMode::kRgbScale:
    case EndpointMode::kRgbScaleAlpha:
      return round_scaled(segment, mode, range, scaled, use);
    case EndpointMode::kRgbOffset:
    case EndpointMode::kRgbaOffset:
      return round_offset(segment, mode, range, use);
    default:
      return round_direct(segment, mode, range, use);
  }
}

}  // namespace tessera::astc::oracle
