// Memory that is left as it is until it is written to, also where the standard library lacks
// std::make_unique_for_overwrite (libc++ before version 16).
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace tessera {

#ifdef __cpp_lib_smart_ptr_for_overwrite
using std::make_unique_for_overwrite;
#else
template <class T>
requires(!std::is_array_v<T>) std::unique_ptr<T> make_unique_for_overwrite() {
  return std::unique_ptr<T>(new T);
}

template <class T>
requires(std::is_unbounded_array_v<T>) std::unique_ptr<T> make_unique_for_overwrite(size_t count) {
  return std::unique_ptr<T>(new std::remove_extent_t<T>[count]);
}
#endif

}  // namespace tessera
