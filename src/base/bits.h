// The bits of a value as another type, also where the standard library lacks std::bit_cast (libc++
// before version 14).
#pragma once

#include <bit>
#include <type_traits>

namespace tessera {

#ifdef __cpp_lib_bit_cast
using std::bit_cast;
#else
template <class To, class From>
constexpr To bit_cast(const From& value) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, value);
}
#endif

}  // namespace tessera
