// How this module asks for threads without knowing who provides them: the caller hands over a
// function that runs call(begin, end) on parts of 0…count−1, anywhere and in any order.
#pragma once

#include <cstddef>
#include <functional>

#include "base/result.h"

namespace tessera::fractal {

using RangeCall = std::function<void(size_t begin, size_t end)>;
// `grain`: how many items per part has at least. `share`: which part of the whole work this is,
// 0…1, for progress. Returns an error when the work was stopped.
using ParallelFor =
    std::function<Status(size_t count, size_t grain, double share, const RangeCall& call)>;

inline Status run_serially(size_t count, size_t /*grain*/, double /*share*/,
                           const RangeCall& call) {
  if (count > 0) {
    call(0, count);
  }
  return {};
}

}  // namespace tessera::fractal
