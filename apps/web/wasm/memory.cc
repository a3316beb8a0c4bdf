// Stands between the modules and Emscripten's small allocator (-Wl,--wrap), which adds sizes to
// addresses without looking whether the sum fits 32 bits.
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace {

// Whether there is such memory, or could be: it does not end above what has an address, and is less
// than 2 GiB.
bool fits(size_t bytes) {
  constexpr size_t kSpare = 65536;
  const size_t room = SIZE_MAX - kSpare - reinterpret_cast<uintptr_t>(sbrk(0));
  return bytes <= room && bytes <= PTRDIFF_MAX - kSpare;
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
void* __real_malloc(size_t bytes);
void* __real_aligned_alloc(size_t alignment, size_t bytes);
void* __wrap_malloc(size_t bytes);
void* __wrap_aligned_alloc(size_t alignment, size_t bytes);

void* __wrap_malloc(size_t bytes) {
  return fits(bytes) ? __real_malloc(bytes) : nullptr;
}

void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return fits(bytes) ? __real_aligned_alloc(alignment, bytes) : nullptr;
}
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"
