// How often a rank looks for messages.
#pragma once

#include <algorithm>
#include <chrono>

namespace tessera::cluster {

// How long to sleep before the next look: short while things happen, longer when nothing does. One
// look costs a thread that computes on the same core 20 to 40 microseconds (two context switches, a
// timer, code and data that are no longer in the caches), so the pauses are as long as the units of
// work allow: a rank already has its next unit, and some milliseconds in which to replace it. Both
// sides also look whenever they have finished a piece of work of their own.
class Pace {
 public:
  constexpr Pace(std::chrono::microseconds shortest, std::chrono::microseconds longest)
      : shortest_(shortest), longest_(longest), pause_(shortest) {}

  void reset() { pause_ = shortest_; }
  std::chrono::microseconds next() {
    const auto pause = pause_;
    pause_ = std::min(pause_ * 2, longest_);
    return pause;
  }

 private:
  std::chrono::microseconds shortest_;
  std::chrono::microseconds longest_;
  std::chrono::microseconds pause_;
};

inline constexpr std::chrono::microseconds kMillisecond{1000};
// While there is nothing to compute.
inline constexpr Pace kIdlePace{kMillisecond / 20, kMillisecond / 2};
// While a large message is under way: networks without hardware support carry a few megabytes and
// then wait for the next look.
inline constexpr auto kTransferPause = kMillisecond;

// While computing: a quarter to a half of the time of one unit. Units near the end of an image are
// shorter than that.
inline Pace pace_of_units(std::chrono::nanoseconds unit) {
  const auto quarter = std::chrono::duration_cast<std::chrono::microseconds>(unit / 4);
  const auto shortest = std::clamp(quarter, kMillisecond / 4, 4 * kMillisecond);
  return {shortest, 2 * shortest};
}
inline constexpr std::chrono::nanoseconds kUsualUnit = 16 * kMillisecond;

}  // namespace tessera::cluster
