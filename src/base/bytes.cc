// Little-endian fields read from and written to byte buffers.
#include "base/bytes.h"

#include <limits>

namespace tessera {

std::optional<uint64_t> checked_multiply(uint64_t a, uint64_t b) {
  if (b != 0 && a > std::numeric_limits<uint64_t>::max() / b) {
    return std::nullopt;
  }
  return a * b;
}

uint32_t ByteReader::read_u24() {
  const uint32_t low = read<uint16_t>();
  const uint32_t high = read<uint8_t>();
  return low | (high << 16);
}

void ByteReader::skip(size_t count) {
  if (remaining() < count) {
    ok_ = false;
    position_ = bytes_.size();
    return;
  }
  position_ += count;
}

}  // namespace tessera
