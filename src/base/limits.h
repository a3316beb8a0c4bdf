// What a file may ask for before its reader refuses it. One object for all readers, for the
// interface and for the command.
#pragma once

#include <cstdint>

namespace tessera {

struct Limits {
  uint64_t max_pixels = uint64_t{1} << 30;  // of an image: width, height and slices multiplied
  uint64_t max_memory = UINT64_MAX;         // bytes that the whole job will need
  uint64_t max_file = uint64_t{1} << 35;    // bytes of a file
  uint64_t max_table = uint64_t{64} << 20;  // bytes of a list of files, or of what outputs are of
  uint32_t max_seconds = 0;                 // of reading and decoding a file; 0: no limit
  // Not 0: so many bytes of memory for each byte of a file, and kFreeMemory on top. A small file
  // that is honest about its size may still stand for very many pixels of one colour.
  uint32_t memory_per_file_byte = 0;

  // What the caller has taken already or will take itself, which counts together with the rest.
  uint64_t caller_files = 0;            // bytes of other files of the same job
  uint64_t caller_bytes = 0;            // of memory
  uint64_t caller_bytes_per_pixel = 0;  // for each pixel that is read
  uint32_t caller_copies = 0;           // pictures as large as the one that is read

  static constexpr uint64_t kFreeMemory = uint64_t{64} << 20;  // bytes
};

// For services, which read what strangers send.
constexpr Limits untrusted_limits() {
  Limits limits;
  limits.max_pixels = uint64_t{1} << 26;
  limits.max_memory = uint64_t{1} << 30;
  limits.max_file = uint64_t{1} << 28;
  limits.max_table = uint64_t{8} << 20;  // some hundred MiB as names and entries
  limits.max_seconds = 10;
  limits.memory_per_file_byte = 64;
  return limits;
}

}  // namespace tessera
