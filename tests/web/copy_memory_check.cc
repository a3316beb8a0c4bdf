// Copies and fills of every small size, from and to every place of a vector, with the functions
// that the WebAssembly modules have of their own (apps/web/wasm/copy_memory.cc). Says what is wrong
// and exits with 1. tools/check_wasm.sh builds and runs it.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

constexpr size_t kMostBytes = 80;
constexpr size_t kPlaces = 17;
constexpr size_t kRoom = kMostBytes + 2 * kPlaces;
constexpr uint8_t kUntouched = 0xEE;

using Memory = std::array<uint8_t, kRoom>;

// Through pointers that the compiler does not know, so that it calls the functions.
void* (*volatile copy)(void*, const void*, size_t) = std::memcpy;
void* (*volatile fill)(void*, int, size_t) = std::memset;

Memory untouched() {
  Memory memory;
  for (uint8_t& byte : memory) {
    byte = kUntouched;
  }
  return memory;
}

template <class Expected>
bool is_right(const Memory& memory, size_t begin, size_t bytes, const Expected& expected) {
  for (size_t i = 0; i < kRoom; ++i) {
    const bool is_inside = i >= begin && i < begin + bytes;
    if (memory[i] != (is_inside ? expected(i - begin) : kUntouched)) {
      return false;
    }
  }
  return true;
}

bool copies(size_t from, size_t to, size_t bytes) {
  Memory source;
  for (size_t i = 0; i < kRoom; ++i) {
    source[i] = static_cast<uint8_t>(i + 1);
  }
  Memory target = untouched();
  return copy(target.data() + to, source.data() + from, bytes) == target.data() + to &&
         is_right(target, to, bytes, [&](size_t i) { return source[from + i]; });
}

bool fills(size_t to, size_t bytes, int value) {
  Memory target = untouched();
  return fill(target.data() + to, value, bytes) == target.data() + to &&
         is_right(target, to, bytes, [&](size_t) { return static_cast<uint8_t>(value); });
}

}  // namespace

int main() {
  for (size_t bytes = 0; bytes <= kMostBytes; ++bytes) {
    for (size_t to = 0; to < kPlaces; ++to) {
      bool is_good = fills(to, bytes, 0) && fills(to, bytes, 0x1A5);
      for (size_t from = 0; from < kPlaces; ++from) {
        is_good = is_good && copies(from, to, bytes);
      }
      if (!is_good) {
        std::printf("copying or filling %zu bytes at %zu goes wrong\n", bytes, to);
        return 1;
      }
    }
  }
  return 0;
}
