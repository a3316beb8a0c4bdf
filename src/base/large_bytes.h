// A buffer for large payloads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/large_memory.h"

namespace tessera {

// Bytes that many threads fill: new ones are not touched before somebody writes to them, so that
// the threads share that work, too (about 2 us for each 4 KiB page). A std::vector with an
// allocator of its own would construct and copy them one by one. Memory comes from what is current
// in the thread that makes the buffer or assigns a copy to it, and goes back there.
class LargeBytes {
 public:
  using value_type = uint8_t;

  LargeBytes() : memory_(current_large_memory()) {}
  explicit LargeBytes(size_t size) : LargeBytes() { resize(size); }
  explicit LargeBytes(std::span<const uint8_t> bytes) : LargeBytes() { append(bytes); }
  ~LargeBytes();
  // A copy is made in the memory that is current where it is made.
  LargeBytes(const LargeBytes& other) : LargeBytes(std::span<const uint8_t>(other)) {}
  LargeBytes(LargeBytes&& other) noexcept : LargeBytes() { swap(other); }
  LargeBytes& operator=(const LargeBytes& other) {
    LargeBytes copy(other);
    swap(copy);
    return *this;
  }
  LargeBytes& operator=(LargeBytes&& other) noexcept {
    LargeBytes taken(std::move(other));
    swap(taken);
    return *this;
  }
  void swap(LargeBytes& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  uint8_t* begin() { return data_; }
  const uint8_t* begin() const { return data_; }
  uint8_t* end() { return data_ + size_; }
  const uint8_t* end() const { return data_ + size_; }
  uint8_t& operator[](size_t i) { return data_[i]; }
  uint8_t operator[](size_t i) const { return data_[i]; }

  // These throw std::bad_alloc where there is no memory.
  void reserve(size_t capacity);
  void resize(size_t size);  // bytes that are new have no value
  void push_back(uint8_t byte) { *grow_by(1) = byte; }
  void append(std::span<const uint8_t> bytes);  // not of this buffer itself
  void append_zeros(size_t count);
  void clear() { size_ = 0; }

  bool operator==(const LargeBytes& other) const;

 private:
  // Returns the first of so many new bytes.
  uint8_t* grow_by(size_t count);

  LargeMemory* memory_;
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace tessera
