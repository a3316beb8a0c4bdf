// Sizes as text: "64x48", or "64x48x32".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

// Width, height, and depth, which is 1 where the text has two sides. Nothing where a side is not a
// whole number from 1 to `most`.
std::optional<std::array<uint32_t, 3>> parse_sides(std::string_view text, uint32_t most);

}  // namespace tessera
