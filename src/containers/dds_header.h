// The header of .dds files, behind the magic number.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace tessera::dds {

// The fields that have a meaning for textures.
struct Header {
  uint32_t size, flags, height, width;
  uint32_t linear_size;  // or pitch: often wrong in the wild, and computable
  uint32_t depth, mip_levels;
  uint32_t pixel_format_size, pixel_format_flags, pixel_format_code;
  uint32_t caps;  // writers disagree
  uint32_t caps2;
};

// `reader` tells whether the file had all of it.
inline Header read_header(ByteReader& reader) {
  constexpr size_t kReserved = 11 * 4, kBitCountsAndMasks = 5 * 4, kMoreCaps = 3 * 4;  // bytes
  Header header = {};
  for (uint32_t* field : {&header.size, &header.flags, &header.height, &header.width,
                          &header.linear_size, &header.depth, &header.mip_levels}) {
    *field = reader.read<uint32_t>();
  }
  reader.skip(kReserved);
  for (uint32_t* field :
       {&header.pixel_format_size, &header.pixel_format_flags, &header.pixel_format_code}) {
    *field = reader.read<uint32_t>();
  }
  reader.skip(kBitCountsAndMasks);
  header.caps = reader.read<uint32_t>();
  header.caps2 = reader.read<uint32_t>();
  reader.skip(kMoreCaps);
  return header;
}

}  // namespace tessera::dds
