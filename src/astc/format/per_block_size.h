// One lazily made T(BlockSize) for each block size, safe to ask for from any thread.
#pragma once

#include <array>
#include <cassert>
#include <memory>
#include <mutex>

#include "astc/format/block_size.h"

namespace tessera::astc {

template <typename T>
class PerBlockSize {
 public:
  // `size` must be one of kBlockSizes.
  const T& get(BlockSize size) {
    const std::optional<unsigned> index = block_size_index(size);
    assert(index.has_value());
    Slot& slot = slots_[*index];
    std::call_once(slot.once, [&] { slot.value = std::make_unique<const T>(size); });
    return *slot.value;
  }

 private:
  struct Slot {
    std::once_flag once;
    std::unique_ptr<const T> value;
  };
  std::array<Slot, kBlockSizeCount> slots_;
};

}  // namespace tessera::astc
