// Reads and writes decimal numbers.
#include "base/decimal.h"

#include <charconv>
#include <system_error>

#include "base/exact_decimal.h"

namespace tessera {
namespace {

size_t count_digits(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && text[count] >= '0' && text[count] <= '9') {
    ++count;
  }
  return count;
}

// Of "e+10" and the like; 0 where there is no exponent.
size_t exponent_length(std::string_view text) {
  if (text.empty() || (text[0] != 'e' && text[0] != 'E')) {
    return 0;
  }
  const size_t sign = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 1 : 0;
  const size_t digits = count_digits(text.substr(1 + sign));
  return digits > 0 ? 1 + sign + digits : 0;
}

// Characters of the number without a sign; 0 where there is none.
size_t magnitude_length(std::string_view text) {
  const size_t whole = count_digits(text);
  size_t length = whole;
  size_t fraction = 0;
  if (length < text.size() && text[length] == '.') {
    fraction = count_digits(text.substr(length + 1));
    length += 1 + fraction;
  }
  return whole + fraction > 0 ? length + exponent_length(text.substr(length)) : 0;
}

// Of a text that is known to be a number without a sign.
template <class T>
std::optional<T> convert(std::string_view text) {
#ifdef __cpp_lib_to_chars
  T value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() ? std::optional(value) : std::nullopt;
#else
  if constexpr (sizeof(T) == sizeof(float)) {
    return exact_float(text);
  } else {
    return exact_double(text);
  }
#endif
}

template <class T>
std::optional<T> take(std::string_view& text) {
  const size_t sign = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  const size_t length = magnitude_length(text.substr(sign));
  if (length == 0) {
    return std::nullopt;
  }
  const bool is_negative = text[0] == '-';
  const auto magnitude = convert<T>(text.substr(sign, length));
  text.remove_prefix(sign + length);
  return magnitude && is_negative ? std::optional(-*magnitude) : magnitude;
}

}  // namespace

std::optional<float> take_float(std::string_view& text) {
  return take<float>(text);
}

std::optional<double> take_double(std::string_view& text) {
  return take<double>(text);
}

std::string decimal_text(double value) {
#ifdef __cpp_lib_to_chars
  char digits[32];
  const auto result =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 6);
  return {digits, result.ptr};
#else
  return exact_text(value, 6);
#endif
}

}  // namespace tessera
