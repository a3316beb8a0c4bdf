// Decimal numbers by whole-number arithmetic alone, for standard libraries without
// std::from_chars() and std::to_chars() of floating-point numbers: what the C library has for it is
// 9 KB of what a browser would have to load. Results are exact, and take microseconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

// Of a text of digits, perhaps a point, and perhaps an exponent, without a sign: the nearest
// number. Nothing where it is too large, or too small to be told from zero.
std::optional<double> exact_double(std::string_view text);
std::optional<float> exact_float(std::string_view text);

// As printf's "%.*g" writes it, with so many digits at most.
std::string exact_text(double value, size_t most_digits);
// The same with the fewest digits that are read as the same number; not for infinity and NaN.
std::string exact_shortest_text(double value);

}  // namespace tessera
