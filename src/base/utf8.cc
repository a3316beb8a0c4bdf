// Which bytes are characters, as RFC 3629 says.
#include "base/utf8.h"

namespace tessera {

size_t utf8_bytes(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t count = first < 0x80                     ? 1
                       : first >= 0xC2 && first < 0xE0  ? 2
                       : first >= 0xE0 && first < 0xF0  ? 3
                       : first >= 0xF0 && first <= 0xF4 ? 4
                                                        : 0;
  if (count == 0 || count > text.size()) {
    return 0;
  }
  for (size_t i = 1; i < count; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return 0;
    }
  }
  const bool is_overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool is_surrogate = first == 0xED && byte(1) >= 0xA0;
  const bool is_past_the_end = first == 0xF4 && byte(1) >= 0x90;
  return is_overlong || is_surrogate || is_past_the_end ? 0 : count;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t count = utf8_bytes(text);
    if (count == 0) {
      return false;
    }
    text.remove_prefix(count);
  }
  return true;
}

}  // namespace tessera
