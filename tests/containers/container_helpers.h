// What the container tests share: textures to write, bytes to patch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "containers/texture.h"

namespace tessera {

// Gives a texture, whose info is complete, levels of counting bytes.
inline void fill_levels(Texture& texture, uint32_t level_count) {
  uint8_t next = 0;
  for (uint32_t level = 0; level < level_count; ++level) {
    LargeBytes& bytes = texture.levels.emplace_back(level_bytes(texture.info, level).value());
    for (uint8_t& byte : bytes) {
      byte = next++;
    }
  }
}

// For tests that patch bytes.
inline Bytes on_heap(const LargeBytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

// A texture of a format with `level_count` levels of counting bytes.
inline Texture make_texture(TextureFormat format, uint32_t width, uint32_t height,
                            uint32_t level_count = 1) {
  Texture texture;
  texture.info.format = format;
  texture.info.width = width;
  texture.info.height = height;
  fill_levels(texture, level_count);
  return texture;
}

// The same with levels of equal bytes, which zstd makes smaller.
inline Texture flat_texture(TextureFormat format, uint32_t width, uint32_t height,
                            uint32_t level_count = 1) {
  Texture texture = make_texture(format, width, height, level_count);
  for (LargeBytes& level : texture.levels) {
    std::fill(level.begin(), level.end(), uint8_t{7});
  }
  return texture;
}

inline Bytes patched_u64(Bytes bytes, size_t offset, uint64_t value) {
  for (size_t i = 0; i < 8; ++i) {
    bytes[offset + i] = static_cast<uint8_t>(value >> (8 * i));
  }
  return bytes;
}

inline Bytes patched_u32(Bytes bytes, size_t offset, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) {
    bytes[offset + i] = static_cast<uint8_t>(value >> (8 * i));
  }
  return bytes;
}

}  // namespace tessera
