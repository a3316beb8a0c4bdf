// The fixed parts of .ktx2 files. Field names as in the KTX File Format Specification, version 2.0.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "image/image.h"

namespace tessera::ktx2 {

inline constexpr std::array<uint8_t, 12> kIdentifier = {0xAB, 'K',  'T',  'X',  ' ',  '2',
                                                        '0',  0xBB, '\r', '\n', 0x1A, '\n'};
inline constexpr size_t kHeaderBytes = 80;      // identifier, header and index
inline constexpr size_t kLevelEntryBytes = 24;  // of the level index

inline constexpr uint32_t kSchemeNone = 0;
inline constexpr uint32_t kSchemeZstd = 2;

struct Section {
  uint64_t offset = 0;
  uint64_t length = 0;
};

struct Level {
  Section section;
  uint64_t uncompressed_length = 0;
};

struct Header {
  std::array<uint8_t, 12> identifier = {};
  uint32_t vk_format = 0;
  uint32_t type_size = 0;
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth = 0;
  uint32_t layers = 0;
  uint32_t faces = 0;
  uint32_t levels = 0;
  uint32_t scheme = 0;
  Section descriptor;
  Section key_values;
  Section global_data;
};

Header read_header(ByteReader& reader);
// The caller has checked the count.
std::vector<Level> read_level_index(ByteReader& reader, uint32_t count);

// A Vulkan format of pixels that are not compressed, with its sRGB form.
struct PixelFormat {
  uint32_t linear;
  uint32_t srgb;  // 0: there is none
  uint32_t channels;
  SampleType sample;
  bool blue_first = false;
};
// nullptr where the number is none of theirs.
const PixelFormat* find_pixel_format(uint32_t vk_format);

}  // namespace tessera::ktx2
