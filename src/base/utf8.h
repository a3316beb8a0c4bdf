// Texts in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace tessera {

// Bytes of the character that the text begins with; 0 where it is none. The text is not empty.
size_t utf8_bytes(std::string_view text);

// Whether all of it is.
bool is_utf8(std::string_view text);

}  // namespace tessera
