// Growth of large buffers.
#include "base/large_bytes.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace tessera {

LargeBytes::~LargeBytes() {
  if (data_ != nullptr) {
    release_payload(memory_, data_, capacity_);
  }
}

void LargeBytes::reserve(size_t capacity) {
  if (capacity <= capacity_) {
    return;
  }
  if (capacity > static_cast<size_t>(PTRDIFF_MAX)) {
    throw std::bad_alloc();
  }
  uint8_t* const larger = allocate_payload(memory_, capacity);
  if (data_ != nullptr) {
    std::memcpy(larger, data_, size_);
    release_payload(memory_, data_, capacity_);
  }
  data_ = larger;
  capacity_ = capacity;
}

void LargeBytes::resize(size_t size) {
  if (size > capacity_) {
    // By at least as much as there is, so that appending takes linear time; but a new buffer is as
    // large as it is asked for.
    reserve(std::max(size, std::min(2 * capacity_, static_cast<size_t>(PTRDIFF_MAX))));
  }
  size_ = size;
}

uint8_t* LargeBytes::grow_by(size_t count) {
  if (count > static_cast<size_t>(PTRDIFF_MAX) - size_) {
    throw std::bad_alloc();
  }
  resize(size_ + count);
  return data_ + (size_ - count);
}

void LargeBytes::append(std::span<const uint8_t> bytes) {
  if (!bytes.empty()) {
    std::memcpy(grow_by(bytes.size()), bytes.data(), bytes.size());
  }
}

void LargeBytes::append_zeros(size_t count) {
  if (count > 0) {
    std::memset(grow_by(count), 0, count);
  }
}

bool LargeBytes::operator==(const LargeBytes& other) const {
  return std::equal(begin(), end(), other.begin(), other.end());
}

}  // namespace tessera
