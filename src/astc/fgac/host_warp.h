// A warp on the CPU: its lanes one after the other, with the sums of a device's lanes in the same
// order.
#pragma once

#include <array>

#include "astc/fgac/fgac_block-inl.h"

namespace tessera::astc {

struct HostWarp {
  static constexpr unsigned kLanes = 32;
  template <class T>
  using PerLane = std::array<T, kLanes>;

  float shared[kFgacSharedFloats];

  template <class Work>
  void each_lane(const Work& work) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      work(lane);
    }
  }
  static PerLane<float> sum(const PerLane<float>& values) {
    return combined(values, [](float a, float b) { return a + b; });
  }
  static PerLane<float> least(const PerLane<float>& values) {
    return combined(values, [](float a, float b) { return b < a ? b : a; });
  }
  static PerLane<float> most(const PerLane<float>& values) {
    return combined(values, [](float a, float b) { return b > a ? b : a; });
  }

 private:
  template <class Combine>
  static PerLane<float> combined(PerLane<float> values, const Combine& combine) {
    for (unsigned distance = 8; distance > 0; distance /= 2) {
      const PerLane<float> before = values;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        values[lane] = combine(before[lane], before[lane ^ distance]);
      }
    }
    return values;
  }
};

}  // namespace tessera::astc
