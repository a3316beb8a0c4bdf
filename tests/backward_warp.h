// A warp of a device on the host: its lanes one after the other, from the last to the first, so
// that work which depends on their order is found.
#pragma once

#include <array>

namespace tessera {

struct BackwardWarp {
  static constexpr unsigned kLanes = 32;
  template <class T>
  using PerLane = std::array<T, kLanes>;

  float* shared;  // memory that nobody has cleared

  template <class Work>
  void each_lane(const Work& work) {
    for (unsigned lane = kLanes; lane-- > 0;) {
      work(lane);
    }
  }
};

}  // namespace tessera
