// Reads the fixed parts of .ktx2 files.
#include "containers/ktx2_header.h"

#include <algorithm>
#include <array>

namespace tessera::ktx2 {

Header read_header(ByteReader& reader) {
  Header header;
  for (uint8_t& byte : header.identifier) {
    byte = reader.read<uint8_t>();
  }
  header.vk_format = reader.read<uint32_t>();
  header.type_size = reader.read<uint32_t>();
  header.width = reader.read<uint32_t>();
  header.height = reader.read<uint32_t>();
  header.depth = reader.read<uint32_t>();
  header.layers = reader.read<uint32_t>();
  header.faces = reader.read<uint32_t>();
  header.levels = reader.read<uint32_t>();
  header.scheme = reader.read<uint32_t>();
  header.descriptor.offset = reader.read<uint32_t>();
  header.descriptor.length = reader.read<uint32_t>();
  header.key_values.offset = reader.read<uint32_t>();
  header.key_values.length = reader.read<uint32_t>();
  header.global_data.offset = reader.read<uint64_t>();
  header.global_data.length = reader.read<uint64_t>();
  return header;
}

std::vector<Level> read_level_index(ByteReader& reader, uint32_t count) {
  std::vector<Level> levels(count);  // at most 32
  for (Level& level : levels) {
    level.section.offset = reader.read<uint64_t>();
    level.section.length = reader.read<uint64_t>();
    level.uncompressed_length = reader.read<uint64_t>();
  }
  return levels;
}

const PixelFormat* find_pixel_format(uint32_t vk_format) {
  // One to four channels each of 8 and 16 bits, half floats and floats.
  using enum SampleType;
  static constexpr std::array<PixelFormat, 18> kFormats = {{{30, 36, 3, kU8, true},
                                                            {44, 50, 4, kU8, true},
                                                            {9, 15, 1, kU8},
                                                            {16, 22, 2, kU8},
                                                            {23, 29, 3, kU8},
                                                            {37, 43, 4, kU8},
                                                            {70, 0, 1, kU16},
                                                            {77, 0, 2, kU16},
                                                            {84, 0, 3, kU16},
                                                            {91, 0, 4, kU16},
                                                            {76, 0, 1, kF16},
                                                            {83, 0, 2, kF16},
                                                            {90, 0, 3, kF16},
                                                            {97, 0, 4, kF16},
                                                            {100, 0, 1, kF32},
                                                            {103, 0, 2, kF32},
                                                            {106, 0, 3, kF32},
                                                            {109, 0, 4, kF32}}};
  const auto* const found =
      std::find_if(kFormats.begin(), kFormats.end(), [&](const PixelFormat& format) {
        return vk_format != 0 && (vk_format == format.linear || vk_format == format.srgb);
      });
  return found == kFormats.end() ? nullptr : found;
}

}  // namespace tessera::ktx2
