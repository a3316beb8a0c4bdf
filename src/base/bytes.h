// Byte buffers, little-endian fields with bounds checks, and size arithmetic that cannot overflow.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/large_bytes.h"

namespace tessera {

using Bytes = std::vector<uint8_t>;
using ByteSpan = std::span<const uint8_t>;

// a·b, or nothing when it does not fit.
std::optional<uint64_t> checked_multiply(uint64_t a, uint64_t b);

// Whether so many bytes can lie in memory: with addresses of 32 bits, less than 2 GiB can.
constexpr bool fits_memory(uint64_t bytes) {
  return bytes <= static_cast<uint64_t>(PTRDIFF_MAX);
}

constexpr uint64_t divide_round_up(uint64_t value, uint64_t divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

// Reads little-endian fields one after the other. Past the end it returns zeros and remembers it:
// read a whole header, then ask ok() once.
class ByteReader {
 public:
  explicit ByteReader(ByteSpan bytes) : bytes_(bytes) {}

  template <std::unsigned_integral T>
  T read() {
    if (bytes_.size() - position_ < sizeof(T)) {
      ok_ = false;
      position_ = bytes_.size();
      return 0;
    }
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) {
      value = static_cast<T>(value | static_cast<T>(T{bytes_[position_ + i]} << (8 * i)));
    }
    position_ += sizeof(T);
    return value;
  }
  uint32_t read_u24();
  void skip(size_t count);

  bool ok() const { return ok_; }
  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }

 private:
  ByteSpan bytes_;
  size_t position_ = 0;
  bool ok_ = true;
};

inline void append_bytes(ByteSpan more, Bytes& to) {
  to.insert(to.end(), more.begin(), more.end());
}
inline void append_bytes(ByteSpan more, LargeBytes& to) {
  to.append(more);
}
inline void append_zeros(size_t count, Bytes& to) {
  to.insert(to.end(), count, uint8_t{0});
}
inline void append_zeros(size_t count, LargeBytes& to) {
  to.append_zeros(count);
}

// Appends little-endian fields to a buffer: Bytes or LargeBytes.
template <class Buffer>
class ByteWriter {
 public:
  explicit ByteWriter(Buffer& bytes) : bytes_(bytes) {}

  template <std::unsigned_integral T>
  void write(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) {
      bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }
  }
  void write_u24(uint32_t value) {
    write(static_cast<uint16_t>(value));
    write(static_cast<uint8_t>(value >> 16));
  }
  void write_zeros(size_t count) { append_zeros(count, bytes_); }
  void write_bytes(ByteSpan data) { append_bytes(data, bytes_); }

 private:
  Buffer& bytes_;
};

}  // namespace tessera
