// Loops of constant lengths for blocks of the usual sizes.
#if defined(TESSERA_FRACTAL_FIXED_SIZE_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_FRACTAL_FIXED_SIZE_INL_H_
#undef TESSERA_FRACTAL_FIXED_SIZE_INL_H_
#else
#define TESSERA_FRACTAL_FIXED_SIZE_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "spmd/target-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::fractal::TESSERA_TARGET {

// Calls call(std::integral_constant<uint32_t, n>) with n = log2_side for the sizes of our coder, so
// that loops have constant lengths, and with n = 0 for the large blocks of the paper's coder.
template <typename Call>
TESSERA_INLINE void with_fixed_size(uint32_t log2_side, const Call& call) {
  switch (log2_side) {
    case 2:
      return call(std::integral_constant<uint32_t, 2>());
    case 3:
      return call(std::integral_constant<uint32_t, 3>());
    case 4:
      return call(std::integral_constant<uint32_t, 4>());
    case 5:
      return call(std::integral_constant<uint32_t, 5>());
    default:
      return call(std::integral_constant<uint32_t, 0>());
  }
}

}  // namespace tessera::fractal::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_FRACTAL_FIXED_SIZE_INL_H_
