// Reads sizes that are written as WxH or WxHxD.
#include "base/sides.h"

#include <charconv>

namespace tessera {

std::optional<std::array<uint32_t, 3>> parse_sides(std::string_view text, uint32_t most) {
  std::array<uint32_t, 3> sides = {0, 0, 1};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (size_t i = 0; i < sides.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, sides[i]);
    if (error != std::errc() || sides[i] == 0 || sides[i] > most) {
      return std::nullopt;
    }
    if (next == end) {
      return i == 0 ? std::nullopt : std::optional(sides);
    }
    if (*next != 'x') {
      return std::nullopt;
    }
    at = next + 1;
  }
  return std::nullopt;  // more than three
}

}  // namespace tessera
