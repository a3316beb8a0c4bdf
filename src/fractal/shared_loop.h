// The loops of the fractal coder that several processes may share (base/shared_loop.h).
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>

#include "base/bytes.h"
#include "base/result.h"
#include "base/shared_loop.h"
#include "fractal/parallel.h"

namespace tessera::fractal {

inline Error wrong_results() {
  return invalid_error("another process sent results of a fractal search that cannot be");
}

// Results of fixed size: `per_item` of them an item. `is_possible` tells whether one can be used.
template <class Value, class IsPossible>
SharedWork shared_values(std::span<Value> values, size_t per_item, const IsPossible& is_possible) {
  static_assert(std::is_trivially_copyable_v<Value>);
  SharedWork work;
  work.save = [values, per_item](size_t begin, size_t end, Bytes& bytes) {
    const auto part = std::as_bytes(values.subspan(begin * per_item, (end - begin) * per_item));
    const auto* first = reinterpret_cast<const uint8_t*>(part.data());
    bytes.insert(bytes.end(), first, first + part.size());
  };
  work.load = [values, per_item, is_possible](size_t begin, size_t end, ByteSpan bytes) -> Status {
    const auto part = values.subspan(begin * per_item, (end - begin) * per_item);
    if (bytes.size() != part.size_bytes()) {
      return wrong_results();
    }
    for (size_t i = 0; i < part.size(); ++i) {
      Value value;
      std::memcpy(&value, bytes.data() + i * sizeof(Value), sizeof(Value));
      if (!is_possible(value)) {
        return wrong_results();
      }
      part[i] = value;
    }
    return {};
  };
  return work;
}

// Whether a device has done the items [begin, end).
using DeviceCall = std::function<Result<bool>(size_t begin, size_t end)>;

// Runs `call` on all items, here with `parallel`, or with other processes, too; but for those that
// a device does.
inline Status run_shared(SharedLoop* shared, SharedWork work, const ParallelFor& parallel,
                         double share, const RangeCall& call, const DeviceCall& on_device = {}) {
  work.compute = [&](size_t begin, size_t end) -> Status {
    const double part = work.count == 0 ? 0.0
                                        : share * static_cast<double>(end - begin) /
                                              static_cast<double>(work.count);
    bool is_done = false;
    if (on_device) {
      TESSERA_ASSIGN_OR_RETURN(is_done, on_device(begin, end));
    }
    // Even where nothing is left to do: whoever runs `parallel` shows progress and may be stopped.
    return parallel(is_done ? 1 : end - begin, work.grain, part, [&](size_t first, size_t last) {
      if (!is_done) {
        call(begin + first, begin + last);
      }
    });
  };
  return shared != nullptr ? shared->run(work) : work.compute(0, work.count);
}

}  // namespace tessera::fractal
