// At which stage the encoder loses the block that the oracle finds: a tool for changes to the
// estimates, and a program (astc_lost_choices) that goes over a whole picture.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "astc/encode/presets.h"
#include "image/image.h"
#include "oracle.h"

namespace tessera::astc {

enum class LostAt : uint8_t {
  kNowhere,      // what was written is about as good
  kNoCandidate,  // the settings do not try such blocks at all
  kRanking,      // its estimate was not among the best
  kFitting,      // it was fitted, but with more passes it would have been better
  kStoring,      // more passes do not help: colours or weights are rounded to other levels
};
inline constexpr std::array<std::string_view, 5> kLostAtNames = {"nowhere", "no candidate",
                                                                 "ranking", "fitting", "storing"};

struct LostChoice {
  LostAt stage = LostAt::kNowhere;
  uint32_t written_error = 0;  // sums of squared differences
  uint32_t oracle_error = 0;
};

// Of one block, with one effort. The block must not be all of one colour.
LostChoice find_lost_choice(std::span<const oracle::Rgba> texels, BlockSize size,
                            const EncodeSettings& settings, const oracle::Options& options);

// Over a picture: `count` blocks spread evenly, but for those of one colour.
struct LostChoices {
  std::array<unsigned, kLostAtNames.size()> blocks{};
  std::array<uint64_t, kLostAtNames.size()> lost{};  // error above the oracle's
  uint64_t written_error = 0;
  uint64_t oracle_error = 0;
};
LostChoices find_lost_choices(const ImageView& picture, BlockSize size,
                              const EncodeSettings& settings, const oracle::Options& options,
                              unsigned count);

}  // namespace tessera::astc
