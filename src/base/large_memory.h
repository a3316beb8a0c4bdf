// Memory for large images and payloads from elsewhere than the heap: a caller's own allocator, or
// memory that other processes can see. A thread chooses it for what it makes while a
// ScopedLargeMemory lives; what has been made remembers where to give its memory back.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

class LargeMemory {
 public:
  struct Rules {
    size_t least_image_bytes = 0;    // smaller images are on the heap
    size_t least_payload_bytes = 0;  // smaller payloads are on the heap; SIZE_MAX: all of them
    bool is_zeroed = false;          // allocate() gives zeros
    bool has_heap_behind = false;    // where allocate() gives nothing, the heap serves
  };

  explicit LargeMemory(const Rules& rules) : rules_(rules) {}
  virtual ~LargeMemory() = default;
  LargeMemory(const LargeMemory&) = delete;
  LargeMemory& operator=(const LargeMemory&) = delete;

  const Rules& rules() const { return rules_; }

  // At a multiple of 64 bytes; null where there is none.
  virtual uint8_t* allocate(size_t bytes) = 0;
  virtual void release(uint8_t* data, size_t bytes) = 0;

 private:
  Rules rules_;
};

// Of the calling thread; null: the heap.
LargeMemory* current_large_memory();

// The calling thread's large images and payloads come from `memory` (null: the heap) until the end
// of the scope. `memory` must outlive them.
class ScopedLargeMemory {
 public:
  explicit ScopedLargeMemory(LargeMemory* memory);
  ~ScopedLargeMemory();
  ScopedLargeMemory(const ScopedLargeMemory&) = delete;
  ScopedLargeMemory& operator=(const ScopedLargeMemory&) = delete;

 private:
  LargeMemory* before_;
};

// A payload's memory, from `memory` where its rules say so. Throws std::bad_alloc.
uint8_t* allocate_payload(LargeMemory* memory, size_t bytes);
void release_payload(LargeMemory* memory, uint8_t* data, size_t bytes);

}  // namespace tessera
