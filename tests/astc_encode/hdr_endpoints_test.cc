// How HDR endpoints are stored: the kernels, with one plain lane, against the format's decoder and
// against a plain search that knows nothing of how bits are divided.
#define TESSERA_SCALAR_LANES
#define TESSERA_SCALAR_NAME N_HDR_ENDPOINTS_TEST
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "astc/encode/encode_tables.h"
#include "astc/encode/round_hdr_lines-inl.h"
#include "astc/format/hdr_endpoints.h"
#include "astc/format/quantization.h"

namespace tessera::astc {
namespace {

namespace kernel = N_HDR_ENDPOINTS_TEST;

constexpr std::array kRanges = {IntegerRange::k6Levels,  IntegerRange::k10Levels,
                                IntegerRange::k16Levels, IntegerRange::k24Levels,
                                IntegerRange::k48Levels, IntegerRange::k96Levels,
                                IntegerRange::k256Levels};

const EncodeTables& tables() {
  TableNeeds needs;
  needs.one_plane_modes = 1;
  needs.hdr = true;
  static const Flat<EncodeTables> made = make_encode_tables({4, 4, 1}, needs);
  return made.root();
}

// The two ends of a line on the scale of texels, 0 to 255.996.
template <unsigned kSlots>
struct Ends {
  std::array<float, kSlots> low, high;
};

// Lines as pictures have them: most of them short, some grey, some with all the range.
template <unsigned kSlots>
Ends<kSlots> random_ends(std::mt19937& random) {
  std::uniform_real_distribution<float> unit(0, 1);
  const float length = 200 * std::pow(unit(random), 4.0F);
  const float color = 100 * std::pow(unit(random), 4.0F);
  const float base = 255 * unit(random);
  Ends<kSlots> ends;
  for (unsigned i = 0; i < kSlots; ++i) {
    const float at = base + color * (unit(random) - 0.5F);
    const float way = length * (1 + 0.3F * (unit(random) - 0.5F));
    ends.low[i] = std::clamp(at, 0.0F, 255.9F);
    ends.high[i] = std::clamp(at + (i == 2 && color > 60 ? -way : way), 0.0F, 255.9F);
  }
  return ends;
}

template <unsigned kSlots>
kernel::Line<kSlots> line_of(const Ends<kSlots>& ends) {
  kernel::Line<kSlots> line;
  for (unsigned i = 0; i < kSlots; ++i) {
    line.low[i] = kernel::all_lanes_f32(ends.low[i]);
    line.high[i] = kernel::all_lanes_f32(ends.high[i]);
    line.form[i] = {kernel::all_lanes_f32(2), kernel::all_lanes_f32(0.5F), kernel::all_lanes_f32(2),
                    kernel::all_lanes_f32(0.25F)};
  }
  return line;
}

// The squared error of decoded ends, as the forms of line_of() have it; the decoder's ends may be
// in either order.
double error_of(const EndpointPair& pair, const std::vector<float>& low,
                const std::vector<float>& high) {
  double least = 1e30;
  for (const bool turned : {false, true}) {
    double error = 0;
    for (size_t i = 0; i < low.size(); ++i) {
      const double p = (turned ? pair.high[i] : pair.low[i]) / 16.0 - double{low[i]};
      const double q = (turned ? pair.low[i] : pair.high[i]) / 16.0 - double{high[i]};
      error += 2 * p * p + p * q + 2 * q * q;
    }
    least = std::min(least, error);
  }
  return least;
}

struct Stored {
  std::array<uint8_t, 8> values{};
  double error = 1e30;
};

// Values of an endpoint mode, moved one after the other to the level that is best with the others,
// from starts of all kinds: slow, and told nothing but what the decoder makes of values.
class PlainSearch {
 public:
  PlainSearch(EndpointMode mode, unsigned count, IntegerRange range, std::vector<float> low,
              std::vector<float> high)
      : mode_(mode),
        count_(count),
        table_(color_table(range)),
        low_(std::move(low)),
        high_(std::move(high)) {
    for (unsigned i = 0; i < range_levels(range); ++i) {
      levels_.push_back(table_.value_of_rank[i]);
    }
  }

  Stored best_of_starts(std::mt19937& random, unsigned starts) const {
    std::uniform_int_distribution<size_t> any(0, levels_.size() - 1);
    Stored best;
    for (unsigned start = 0; start < starts; ++start) {
      Stored stored;
      for (unsigned i = 0; i < count_; ++i) {
        stored.values[i] = levels_[any(random)];
      }
      best = better(best, descend(stored));
    }
    return best;
  }

  Stored descend(Stored stored) const {
    stored.error = error_at(stored);
    for (bool moved = true; moved;) {
      moved = false;
      for (unsigned i = 0; i < count_; ++i) {
        const uint8_t before = stored.values[i];
        uint8_t best = before;
        for (const uint8_t level : levels_) {
          stored.values[i] = level;
          const double error = error_at(stored);
          if (error < stored.error) {
            stored.error = error;
            best = level;
            moved = true;
          }
        }
        stored.values[i] = best;
      }
    }
    return stored;
  }

  double error_at(const Stored& stored) const {
    return error_of(decode_hdr_endpoints(mode_, stored.values.data()), low_, high_);
  }

 private:
  static Stored better(const Stored& a, const Stored& b) { return b.error < a.error ? b : a; }

  EndpointMode mode_;
  unsigned count_;
  const ColorTable& table_;
  std::vector<float> low_, high_;
  std::vector<uint8_t> levels_;
};

// What a kernel stored, by codes of the range.
template <unsigned kSlots>
Stored stored_of(const kernel::Endpoints<kSlots>& ends, unsigned count, IntegerRange range) {
  Stored stored;
  for (unsigned i = 0; i < count; ++i) {
    const int32_t code = kernel::lanes::first_lane(ends.codes[i]);
    EXPECT_GE(code, 0);
    EXPECT_LT(code, static_cast<int32_t>(range_levels(range)));
    stored.values[i] = color_table(range).value_of_code[static_cast<size_t>(code)];
  }
  return stored;
}

template <unsigned kSlots>
void expect_decoded(const kernel::Endpoints<kSlots>& ends, const EndpointPair& pair) {
  for (unsigned i = 0; i < kSlots; ++i) {
    EXPECT_EQ(kernel::lanes::first_lane(ends.low[i]), static_cast<float>(pair.low[i]) / 16) << i;
    EXPECT_EQ(kernel::lanes::first_lane(ends.high[i]), static_cast<float>(pair.high[i]) / 16) << i;
  }
}

// Sums of errors of many lines: the kernel's, and what a search finds, from the kernel's values on
// and from anywhere.
struct Totals {
  double kernel = 0, searched = 0;

  void add(const PlainSearch& search, const Stored& stored, std::mt19937& random, unsigned starts) {
    const double least = 0.25;  // differences of less do not matter
    const Stored stepped_on = search.descend(stored);
    kernel += search.error_at(stored) + least;
    searched += std::min(stepped_on.error, search.best_of_starts(random, starts).error) + least;
  }
};

template <unsigned kSlots>
kernel::HdrCodes codes_of(IntegerRange range) {
  return {tables().colors.kept_bits.data(), kernel::all_lanes(first_color_entry(range))};
}

template <unsigned kSlots>
std::vector<float> colors(const std::array<float, kSlots>& color) {
  return {color.begin(), color.begin() + std::min(kSlots, 3u)};
}

constexpr unsigned kLines = 60, kStarts = 6;

// How many times the error of the search. With six levels, values mostly lack what the finer
// divisions of bits need, and kernels do not search for what happens to fit.
double most_of(IntegerRange range) {
  return range == IntegerRange::k6Levels ? 3.0 : range_levels(range) < 16 ? 1.8 : 1.25;
}

// What a kernel makes of lines of colours: its values are decoded as it says, and are not much
// worse than what a search finds. `quantize` stores so many values, with the mode.
template <class Quantize>
void expect_good_colors(uint32_t seed, EndpointMode mode, unsigned count,
                        const Quantize& quantize) {
  std::mt19937 random(seed);
  for (const IntegerRange range : kRanges) {
    Totals totals;
    for (unsigned i = 0; i < kLines; ++i) {
      const Ends<3> ends = random_ends<3>(random);
      const auto line = line_of(ends);
      kernel::Endpoints<3> found;
      quantize(line.low, line.high, line.form, codes_of<3>(range), found);
      const Stored stored = stored_of(found, count, range);
      expect_decoded(found, decode_hdr_endpoints(mode, stored.values.data()));
      const PlainSearch search(mode, count, range, colors<3>(ends.low), colors<3>(ends.high));
      totals.add(search, stored, random, kStarts);
    }
    EXPECT_LT(totals.kernel, most_of(range) * totals.searched) << range_levels(range);
  }
}

TEST(HdrEndpoints, PairsAreDecodedAsTheKernelSays) {
  expect_good_colors(1, EndpointMode::kHdrRgb, 6, kernel::quantize_hdr_pair<3>);
}

TEST(HdrEndpoints, ScaledColoursAreDecodedAsTheKernelSays) {
  expect_good_colors(2, EndpointMode::kHdrRgbScale, 4, kernel::quantize_hdr_scaled);
}

TEST(HdrEndpoints, LuminancesAreDecodedAsTheKernelSays) {
  std::mt19937 random(3);
  for (const IntegerRange range : kRanges) {
    Totals totals;
    for (unsigned i = 0; i < kLines; ++i) {
      const Ends<1> ends = random_ends<1>(random);
      const auto line = line_of(ends);
      const kernel::HdrLine<1> in_units(line.low, line.high, line.form);
      for (const bool steps : {false, true}) {
        kernel::Endpoints<1> found;
        const auto store = steps ? kernel::store_hdr_luminance_step : kernel::store_hdr_luminances;
        store(in_units, line.low, line.high, line.form, codes_of<1>(range), found);
        if (kernel::lanes::first_lane(found.error) >= kernel::kImpossible) {
          EXPECT_TRUE(steps);
          continue;
        }
        const EndpointMode mode =
            steps ? EndpointMode::kHdrLuminanceSmall : EndpointMode::kHdrLuminanceLarge;
        const Stored stored = stored_of(found, 2, range);
        expect_decoded(found, decode_hdr_endpoints(mode, stored.values.data()));
        if (!steps) {
          const PlainSearch search(mode, 2, range, colors<1>(ends.low), colors<1>(ends.high));
          totals.add(search, stored, random, kStarts);
        }
      }
    }
    EXPECT_LT(totals.kernel, most_of(range) * totals.searched) << range_levels(range);
  }
}

TEST(HdrEndpoints, AlphaIsDecodedAsTheKernelSays) {
  std::mt19937 random(4);
  for (const IntegerRange range : kRanges) {
    for (unsigned i = 0; i < kLines; ++i) {
      const Ends<4> ends = random_ends<4>(random);
      const kernel::Line<4> line = line_of(ends);
      const Family family = {ColorClass::kRgba, 1, false, 0};
      for (const bool hdr_alpha : {false, true}) {
        kernel::RoundingTask task = {tables().colors,
                                     family,
                                     kernel::all_lanes(first_color_entry(range)),
                                     1,
                                     false,
                                     nullptr,
                                     nullptr,
                                     true,
                                     hdr_alpha};
        kernel::RoundedLines<4, 1> rounded;
        kernel::round_hdr_lines(task, &line, rounded);
        const Stored stored = stored_of(rounded.ends[0], 8, range);
        const EndpointPair pair =
            decode_hdr_endpoints(hdr_alpha ? EndpointMode::kHdrRgba : EndpointMode::kHdrRgbLdrAlpha,
                                 stored.values.data());
        for (unsigned k = 0; k < 4; ++k) {
          const float scale = k < 3 || hdr_alpha ? 1.0F / 16 : 257.0F / 256;
          EXPECT_FLOAT_EQ(kernel::lanes::first_lane(rounded.ends[0].low[k]),
                          static_cast<float>(pair.low[k]) * scale);
          EXPECT_FLOAT_EQ(kernel::lanes::first_lane(rounded.ends[0].high[k]),
                          static_cast<float>(pair.high[k]) * scale);
        }
      }
    }
  }
}

// Every half float is what its place on the logarithmic scale decodes to.
TEST(HdrTexels, EveryHalfComesBack) {
  for (uint32_t half = 0; half < 0x7C00; ++half) {
    ASSERT_EQ(lns_to_half(lns_of_half(static_cast<uint16_t>(half))), half);
  }
  EXPECT_EQ(lns_to_half(lns_of_half(0x7C00)), 0x7BFF);  // infinity
  for (const unsigned half : {0x7C01u, 0x7E00u, 0x8000u, 0xBC00u, 0xFC00u, 0xFFFFu}) {
    EXPECT_EQ(lns_of_half(static_cast<uint16_t>(half)), 0) << half;
  }
}

}  // namespace
}  // namespace tessera::astc
