// Errors as values: what went wrong, in one sentence, with the kind that becomes an exit code.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tessera {

// The values are the command's exit codes.
enum class ErrorCode : int {
  kUsage = 1,        // the request itself makes no sense
  kIo = 2,           // a file cannot be read or written
  kInvalid = 3,      // a file's content breaks the rules of its type
  kFailed = 4,       // something went wrong while running
  kUnsupported = 5,  // a valid request that this build cannot serve
  kInterrupted = 6,  // the user stopped it
  kDiffer = 7,       // two images differ by more than was allowed
};

struct Error {
  ErrorCode code = ErrorCode::kFailed;
  std::string message;
};

// A value or an Error. Check ok() before value() or error().
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  T& value() & {
    assert(ok());
    return std::get<T>(state_);
  }
  const T& value() const& {
    assert(ok());
    return std::get<T>(state_);
  }
  T&& value() && {
    assert(ok());
    return std::get<T>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    assert(!ok());
    return std::get<Error>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    assert(!ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

inline Error invalid_error(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}
inline Error unsupported_error(std::string message) {
  return {ErrorCode::kUnsupported, std::move(message)};
}
inline Error failed_error(std::string message) {
  return {ErrorCode::kFailed, std::move(message)};
}
inline Error usage_error(std::string message) {
  return {ErrorCode::kUsage, std::move(message)};
}
inline Error io_error(std::string message) {
  return {ErrorCode::kIo, std::move(message)};
}

}  // namespace tessera

#define TESSERA_CONCAT_INNER(a, b) a##b
#define TESSERA_CONCAT(a, b) TESSERA_CONCAT_INNER(a, b)

// Leaves the enclosing function with the error of a Status or Result, if it has one.
#define TESSERA_RETURN_IF_ERROR(expression)                         \
  do {                                                              \
    if (auto tessera_result = (expression); !tessera_result.ok()) { \
      return tessera_result.error();                                \
    }                                                               \
  } while (false)

// `TESSERA_ASSIGN_OR_RETURN(auto image, read_image(...));`
#define TESSERA_ASSIGN_OR_RETURN(declaration, expression) \
  TESSERA_ASSIGN_OR_RETURN_NAMED(TESSERA_CONCAT(tessera_result_, __LINE__), declaration, expression)
#define TESSERA_ASSIGN_OR_RETURN_NAMED(result, declaration, expression) \
  auto result = (expression);                                           \
  if (!result.ok()) {                                                   \
    return result.error();                                              \
  }                                                                     \
  declaration = std::move(result).value()
