// Places that many threads of a device take from a counter at once. On the host, where drivers of
// devices are tested, one thread does the work of all.
#pragma once

#include <cstdint>

#include "spmd/target-inl.h"

namespace tessera {

// Adds one to a counter and tells what it was before. Threads of a warp that ask for the same one
// share an addition. Which thread gets which place is left open.
TESSERA_INLINE uint32_t take_place(uint32_t* counter) {
#ifdef __CUDA_ARCH__
  const auto address = reinterpret_cast<unsigned long long>(counter);
  const unsigned same = __match_any_sync(__activemask(), address);
  const unsigned lane = threadIdx.x % 32;
  const int first = __ffs(static_cast<int>(same)) - 1;
  uint32_t place = 0;
  if (static_cast<int>(lane) == first) {
    place = atomicAdd(counter, static_cast<uint32_t>(__popc(same)));
  }
  place = __shfl_sync(same, place, first);
  return place + static_cast<uint32_t>(__popc(same & ((1u << lane) - 1u)));
#else
  return (*counter)++;
#endif
}

}  // namespace tessera
