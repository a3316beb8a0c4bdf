// Where things are in .ktx2 files, for tests that look at them and damage them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/bytes.h"
#include "container_helpers.h"
#include "containers/zstd_level.h"

#define SKIP_WITHOUT_ZSTD()                                                \
  if (!have_zstd()) {                                                      \
    GTEST_SKIP() << "this build has no libzstd; Zstandard was NOT tested"; \
  }

namespace tessera {

inline constexpr size_t kVkFormatAt = 12, kTypeSizeAt = 16, kWidthAt = 20, kHeightAt = 24,
                        kDepthAt = 28, kLayersAt = 32, kFacesAt = 36, kLevelsAt = 40,
                        kSchemeAt = 44, kDescriptorOffsetAt = 48, kDescriptorLengthAt = 52,
                        kKeyValueOffsetAt = 56, kKeyValueLengthAt = 60, kGlobalLengthAt = 72;

// Offset, length, uncompressed length of a level, 8 bytes each.
inline size_t level_entry_at(size_t level) {
  return 80 + 24 * level;
}

inline uint32_t u32_at(const Bytes& bytes, size_t offset) {
  return ByteReader(ByteSpan(bytes).subspan(offset)).read<uint32_t>();
}

inline uint64_t u64_at(const Bytes& bytes, size_t offset) {
  return ByteReader(ByteSpan(bytes).subspan(offset)).read<uint64_t>();
}

// Gives a file with one level other key/value data.
inline Bytes with_key_values(const Bytes& bytes, const std::string& key_values) {
  const size_t at = u32_at(bytes, kKeyValueOffsetAt);
  const size_t level_offset = u64_at(bytes, level_entry_at(0));
  Bytes changed(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(at));
  for (const char c : key_values) {
    changed.push_back(static_cast<uint8_t>(c));
  }
  changed.resize(divide_round_up(changed.size(), 16) * 16);
  const size_t new_offset = changed.size();
  for (size_t i = level_offset; i < bytes.size(); ++i) {
    changed.push_back(bytes[i]);
  }
  changed = patched_u64(changed, level_entry_at(0), new_offset);
  return patched_u32(changed, kKeyValueLengthAt, static_cast<uint32_t>(key_values.size()));
}

}  // namespace tessera
