// The C library's functions for copying and filling memory, 16 bytes at a time: those of Emscripten
// 3.1.6 without JavaScript go by 4. Stages copy rows of texels and clear short arrays all the time.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr size_t kVector = 16;  // bytes

template <class Word>
void copy_word(uint8_t* to, const uint8_t* from) {
  // Any address will do in WebAssembly.
  struct Unaligned {
    Word word;
  } __attribute__((packed, may_alias));
  reinterpret_cast<Unaligned*>(to)->word = reinterpret_cast<const Unaligned*>(from)->word;
}

// One word or two, which overlap, for sizes of a word and up to two.
template <class Word>
void copy_ends(uint8_t* to, const uint8_t* from, size_t bytes) {
  copy_word<Word>(to, from);
  copy_word<Word>(to + bytes - sizeof(Word), from + bytes - sizeof(Word));
}

void copy_few(uint8_t* to, const uint8_t* from, size_t bytes) {
  if (bytes >= 8) {
    copy_ends<uint64_t>(to, from, bytes);
  } else if (bytes >= 4) {
    copy_ends<uint32_t>(to, from, bytes);
  } else {
    for (size_t i = 0; i < bytes; ++i) {
      to[i] = from[i];
    }
  }
}

}  // namespace

extern "C" {

void* memcpy(void* __restrict to, const void* __restrict from, size_t bytes) {
  auto* out = static_cast<uint8_t*>(to);
  const auto* in = static_cast<const uint8_t*>(from);
  if (bytes < kVector) {
    copy_few(out, in, bytes);
    return to;
  }
  const size_t last = bytes - kVector;  // the last vector may overlap the one before
  for (size_t i = 0; i < last; i += kVector) {
    wasm_v128_store(out + i, wasm_v128_load(in + i));
  }
  wasm_v128_store(out + last, wasm_v128_load(in + last));
  return to;
}

void* memset(void* to, int value, size_t bytes) {
  auto* const out = static_cast<uint8_t*>(to);
  const v128_t filled = wasm_i8x16_splat(static_cast<int8_t>(value));
  if (bytes < kVector) {
    alignas(kVector) uint8_t vector[kVector];
    wasm_v128_store(vector, filled);
    copy_few(out, vector, bytes);
    return to;
  }
  const size_t last = bytes - kVector;
  for (size_t i = 0; i < last; i += kVector) {
    wasm_v128_store(out + i, filled);
  }
  wasm_v128_store(out + last, filled);
  return to;
}

}  // extern "C"
