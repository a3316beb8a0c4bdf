// Decimal numbers in texts, the same in every locale and without the stream library, which is large
// and which programs for browsers would have to carry.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

// The number at the beginning of `text`, such as "-2.5e3" or "+.5", which is then taken from it.
// Nothing where there is none, or where it is too large or too small for the type.
std::optional<float> take_float(std::string_view& text);
std::optional<double> take_double(std::string_view& text);

// With six digits at most: "0.5", "1e+06".
std::string decimal_text(double value);

}  // namespace tessera
