// Errors and option structs at the border of the C interface.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "tessera/tessera.h"

namespace tessera::api {

// `error` may be null. Neither allocates.
tessera_status set_ok(tessera_error* error) noexcept;
tessera_status set_error(tessera_error* error, tessera_status status, const char* message) noexcept;

// What `action`, which returns a Status, comes to; nothing that it throws goes on.
template <class Action>
tessera_status call(tessera_error* error, Action&& action) noexcept {
  try {
    const Status status = std::forward<Action>(action)();
    return status ? set_ok(error)
                  : set_error(error, static_cast<tessera_status>(status.error().code),
                              status.error().message.c_str());
  } catch (const std::bad_alloc&) {
    return set_error(error, TESSERA_ERROR_FAILED, "not enough memory");
  } catch (const std::exception& exception) {
    return set_error(error, TESSERA_ERROR_FAILED, exception.what());
  } catch (...) {
    return set_error(error, TESSERA_ERROR_FAILED, "a callback has thrown an exception");
  }
}

// Whether a struct of the caller's says its size.
template <class T>
Status check_struct_size(const T& given, const char* name) {
  if (given.struct_size < sizeof given.struct_size) {
    return usage_error(std::string("struct_size of ") + name +
                       " is not set: use its _INIT macro, or set it to sizeof(" + name + ")");
  }
  return {};
}

// The caller's options with all fields that this library knows: fields that the caller's older
// header does not have are zero, those of a newer header are not looked at. Null: all are zero.
template <class T>
Result<T> read_options(const T* given, const char* name) {
  T options = {};
  if (given != nullptr) {
    TESSERA_RETURN_IF_ERROR(check_struct_size(*given, name));
    std::memcpy(&options, given, std::min(given->struct_size, sizeof options));
  }
  options.struct_size = sizeof options;
  return options;
}

// Fills as much of the caller's struct as the caller's header knows. Null: nothing is wanted.
template <class T>
Status write_result(T value, T* out, const char* name) {
  if (out == nullptr) {
    return {};
  }
  TESSERA_RETURN_IF_ERROR(check_struct_size(*out, name));
  const size_t size = out->struct_size;
  if (size > sizeof value) {
    std::memset(out, 0, size);
  }
  value.struct_size = size;
  std::memcpy(out, &value, std::min(size, sizeof value));
  return {};
}

// Cut where it is too long, between two characters of UTF-8; always with a zero byte at the end.
void copy_text(std::string_view text, std::span<char> out) noexcept;

// kUsage with a sentence that names the argument.
Status check_not_null(const void* argument, const char* name);

// The caller's text, or the default where it is null.
inline std::string text_or(const char* text, const char* otherwise) {
  return text != nullptr ? text : otherwise;
}

}  // namespace tessera::api
