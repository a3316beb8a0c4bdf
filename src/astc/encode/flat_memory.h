// Tables in one piece of memory that can be copied anywhere, to a device's memory, too: arrays are
// found by their distance from the object that names them, so nothing in a copy needs to change.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>

namespace tessera::astc {

// Lies in the same piece of memory as its elements.
template <class T>
class FlatArray {
 public:
  FlatArray() = default;
  // On its own, a copy would count the distance from another place.
  FlatArray(const FlatArray&) = delete;
  FlatArray& operator=(const FlatArray&) = delete;

  constexpr const T* data() const {
    return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(this) + distance_);
  }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](size_t i) const { return data()[i]; }
  constexpr const T* begin() const { return data(); }
  constexpr const T* end() const { return data() + size_; }

 private:
  friend class FlatWriter;

  uint32_t distance_ = 0;  // bytes from this object to the first element
  uint32_t size_ = 0;
};

inline constexpr size_t kFlatAlignment = 64;  // bytes
// Of every array, so that a device loads four numbers at once.
inline constexpr size_t kArrayAlignment = 16;

struct FlatDelete {
  void operator()(std::byte* bytes) const {
    ::operator delete (bytes, std::align_val_t{kFlatAlignment});
  }
};
using FlatBytes = std::unique_ptr<std::byte, FlatDelete>;

inline FlatBytes allocate_flat(size_t bytes) {
  return FlatBytes(
      static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kFlatAlignment})));
}

// A root object of type Root with all arrays that it names.
template <class Root>
class Flat {
 public:
  Flat() = default;
  Flat(FlatBytes bytes, size_t size) : bytes_(std::move(bytes)), size_(size) {}

  const Root& root() const { return *std::launder(reinterpret_cast<const Root*>(bytes_.get())); }
  std::span<const std::byte> bytes() const { return {bytes_.get(), size_}; }

 private:
  FlatBytes bytes_;
  size_t size_ = 0;
};

// Puts a root object and arrays one behind the other. What has been placed does not move.
class FlatWriter {
 public:
  explicit FlatWriter(size_t capacity) : bytes_(allocate_flat(capacity)), capacity_(capacity) {}

  template <class Root>
  Root& place_root() {
    assert(used_ == 0);
    return *new (take(sizeof(Root), alignof(Root))) Root();
  }

  // `array` is a member of something placed before; its elements can be filled in.
  template <class T>
  std::span<T> place(FlatArray<T>& array, size_t count) {
    T* const first = take_elements(array, count);
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }
  template <class T>
  void place(FlatArray<T>& array, std::span<const T> values) {
    T* const first = take_elements(array, values.size());
    std::uninitialized_copy(values.begin(), values.end(), first);
  }

  // What has been placed. The memory behind it, which nobody has written to, stays with it: systems
  // give none to pages that are not used.
  template <class Root>
  Flat<Root> finish() {
    return Flat<Root>(std::move(bytes_), used_);
  }

 private:
  template <class T>
  T* take_elements(FlatArray<T>& array, size_t count) {
    T* const first =
        reinterpret_cast<T*>(take(count * sizeof(T), std::max(alignof(T), kArrayAlignment)));
    array.distance_ = static_cast<uint32_t>(reinterpret_cast<std::byte*>(first) -
                                            reinterpret_cast<std::byte*>(&array));
    array.size_ = static_cast<uint32_t>(count);
    return first;
  }

  std::byte* take(size_t bytes, size_t alignment) {
    const size_t first = (used_ + alignment - 1) / alignment * alignment;
    if (first + bytes > capacity_) {
      throw std::length_error("the encoder's tables are larger than expected");
    }
    used_ = first + bytes;
    return bytes_.get() + first;
  }

  FlatBytes bytes_;
  size_t capacity_;
  size_t used_ = 0;
};

}  // namespace tessera::astc
