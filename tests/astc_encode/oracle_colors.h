// How a partition's two colours are stored: rounding them to the codes of an endpoint mode, and the
// ways to combine modes in a block.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "astc/format/block_layout.h"
#include "astc/format/block_mode.h"
#include "astc/format/color_endpoints.h"
#include "oracle.h"
#include "oracle_lines.h"

namespace tessera::astc::oracle {

// The endpoint modes that a block's texels call for.
enum class Content : uint8_t { kGrey, kGreyAlpha, kRgb, kRgba };

Content content_of(std::span<const Rgba> texels);

// The endpoint modes of a block's partitions. Either all have `mode`, or each has its own: `large`
// of them one with two values more than the others.
struct ColorPlan {
  bool separate = false;
  EndpointMode mode = EndpointMode::kRgb;
  unsigned large = 0;
  IntegerRange range = kSmallestColorRange;
};

// All that leave at least 6 levels a value.
std::vector<ColorPlan> color_plans(Content content, unsigned partitions, const BlockMode& mode);

// Modes for the partitions with fewer values of a plan with separate modes, and for the others.
std::span<const EndpointMode> small_modes(Content content);
std::span<const EndpointMode> large_modes(Content content);

// A partition's colours, as stored.
struct StoredColors {
  EndpointMode mode = EndpointMode::kRgb;
  std::array<uint8_t, 8> codes{};
  EndpointPair pair;
};

StoredColors stored_colors(EndpointMode mode, IntegerRange range,
                           const std::array<uint8_t, 8>& codes);

// Every sensible rounding of the segment, handed to `use`. `scaled` gives, for a factor of the low
// colour, the best high one: colours that are multiples of each other have three degrees of freedom
// less than the segment.
void round_segment(const Segment& segment, EndpointMode mode, IntegerRange range,
                   const std::function<Color(double)>& scaled,
                   const std::function<void(const StoredColors&)>& use);

}  // namespace tessera::astc::oracle
