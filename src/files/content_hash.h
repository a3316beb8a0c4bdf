// A number that tells whether a file's content is still the same. It is no protection against
// somebody who wants two contents to have the same number.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.h"

namespace tessera {

// Of bytes that come in parts; how they are cut does not matter. Never 0.
class ContentHash {
 public:
  void add(ByteSpan bytes);
  uint64_t value() const;

 private:
  static constexpr size_t kLanes = 4;
  static constexpr size_t kStripe = kLanes * sizeof(uint64_t);  // bytes
  void mix(const uint8_t* stripe);

  std::array<uint64_t, kLanes> lanes_ = {1, 2, 3, 4};
  std::array<uint8_t, kStripe> rest_ = {};  // bytes that are no whole stripe yet
  uint64_t count_ = 0;                      // of all bytes
};

uint64_t content_hash(ByteSpan bytes);

// Of a regular file; nothing where it cannot be read.
std::optional<uint64_t> file_hash(const std::string& path);

}  // namespace tessera
