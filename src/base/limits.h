// What a file may ask for before its reader refuses it. One object for all readers, for the
// interface and for the command.
#pragma once

#include <cstdint>

namespace tessera {

struct Limits {
  uint64_t max_pixels = uint64_t{1} << 30;  // of an image: width, height and slices multiplied
  uint64_t max_memory = UINT64_MAX;         // bytes that the whole job will need
  uint64_t max_file = uint64_t{1} << 35;    // bytes of a file
  uint32_t max_seconds = 0;                 // of reading and decoding a file; 0: no limit
  // Not 0: so many bytes of memory for each byte of a file, and kFreeMemory on top. A small file
  // that is honest about its size may still stand for very many pixels of one colour.
  uint32_t memory_per_file_byte = 0;

  static constexpr uint64_t kFreeMemory = uint64_t{64} << 20;  // bytes
};

// For services, which read what strangers send.
constexpr Limits untrusted_limits() {
  return {uint64_t{1} << 26, uint64_t{1} << 30, uint64_t{1} << 28, 10, 64};
}

}  // namespace tessera
