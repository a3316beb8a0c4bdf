// Which memory large images and payloads of a thread come from.
#include "base/large_memory.h"

#include <new>

namespace tessera {
namespace {

thread_local LargeMemory* current_memory = nullptr;

bool serves_payload(const LargeMemory* memory, size_t bytes) {
  return memory != nullptr && bytes >= memory->rules().least_payload_bytes;
}

}  // namespace

LargeMemory* current_large_memory() {
  return current_memory;
}

ScopedLargeMemory::ScopedLargeMemory(LargeMemory* memory) : before_(current_memory) {
  current_memory = memory;
}

ScopedLargeMemory::~ScopedLargeMemory() {
  current_memory = before_;
}

uint8_t* allocate_payload(LargeMemory* memory, size_t bytes) {
  if (!serves_payload(memory, bytes)) {
    return static_cast<uint8_t*>(::operator new(bytes));
  }
  uint8_t* const data = memory->allocate(bytes);
  if (data == nullptr) {
    throw std::bad_alloc();
  }
  return data;
}

void release_payload(LargeMemory* memory, uint8_t* data, size_t bytes) {
  if (serves_payload(memory, bytes)) {
    memory->release(data, bytes);
  } else {
    ::operator delete(data);
  }
}

}  // namespace tessera
