// The number of --rdo that leaves a wanted part of the bits.
#include "codec/rate_choice.h"

#include <gtest/gtest.h>

#include "exec/backend.h"

namespace tessera {
namespace {

constexpr RateSearch kSearch = {.lowest = 1, .highest = 256, .steps = 8, .almost_none = 0.01F};

// Parts of different sizes, whose bits fall as the number grows.
Result<double> bits_of(size_t part, float number) {
  return 1000.0 * static_cast<double>(part + 1) / (1.0 + double{number} / 50);
}

ChosenRate chosen_for(float size) {
  RateSearch search = kSearch;
  search.size = size;
  const auto backend = make_serial_backend();
  return choose_rate(search, 3, bits_of, *backend, {}).value();
}

TEST(RateChoice, LeavesWhatIsWanted) {
  for (const float size : {0.9F, 0.7F, 0.5F}) {
    const ChosenRate chosen = chosen_for(size);
    EXPECT_TRUE(chosen.is_reached);
    EXPECT_NEAR(chosen.left, size, 0.02);
    EXPECT_NEAR(bits_of(0, chosen.number).value() / 1000, size, 0.02);
  }
}

TEST(RateChoice, TellsWhatCannotBeReached) {
  const ChosenRate chosen = chosen_for(0.05F);
  EXPECT_FALSE(chosen.is_reached);
  EXPECT_LE(chosen.number, kSearch.highest);
  EXPECT_NEAR(chosen.left, bits_of(0, chosen.number).value() / 1000, 0.02);
}

TEST(RateChoice, StopsWhenAPartFails) {
  const auto backend = make_serial_backend();
  const BitsOfPart fails = [](size_t, float) -> Result<double> {
    return Error{ErrorCode::kInterrupted, "stopped"};
  };
  EXPECT_EQ(choose_rate(kSearch, 2, fails, *backend, {}).error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace tessera
