// The header of .ktx files, and what the parts of their reader share. Field names as in the KTX
// File Format Specification, version 1.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace tessera::ktx {

inline constexpr std::array<uint8_t, 12> kIdentifier = {0xAB, 'K',  'T',  'X',  ' ',  '1',
                                                        '1',  0xBB, '\r', '\n', 0x1A, '\n'};
inline constexpr uint32_t kByteOrder = 0x04030201;
inline constexpr size_t kHeaderBytes = 64;
inline constexpr size_t kSizeBytes = 4;  // before each level

// A number of a file in the other byte order.
constexpr uint32_t swapped_bytes(uint32_t value) {
  return value << 24 | (value & 0xFF00) << 8 | (value >> 8 & 0xFF00) | value >> 24;
}

struct Header {
  uint32_t byte_order = 0;  // as it is in the file; the fields below are as they are meant
  uint32_t gl_type, gl_type_size, gl_format, internal_format, base_format;
  uint32_t width, height, depth;
  uint32_t elements, faces, levels;
  uint32_t key_value_bytes;

  bool is_swapped() const { return byte_order == swapped_bytes(kByteOrder); }
};

// Behind the identifier. `reader` tells whether the file had all of it.
inline Header read_header(ByteReader& reader) {
  Header header = {};
  header.byte_order = reader.read<uint32_t>();
  for (uint32_t* field :
       {&header.gl_type, &header.gl_type_size, &header.gl_format, &header.internal_format,
        &header.base_format, &header.width, &header.height, &header.depth, &header.elements,
        &header.faces, &header.levels, &header.key_value_bytes}) {
    const auto value = reader.read<uint32_t>();
    *field = header.is_swapped() ? swapped_bytes(value) : value;
  }
  return header;
}

inline Error invalid(const std::string& name, const std::string& what) {
  return invalid_error(name + " is not a valid .ktx file: " + what);
}

}  // namespace tessera::ktx
