// The header of an OpenEXR file, read here before the library sees the file: the library believes
// the sizes it finds and takes the memory they ask for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace tessera {

enum class ExrSample : uint32_t { kUint = 0, kHalf = 1, kFloat = 2 };

struct ExrChannel {
  std::string name;
  ExrSample sample = ExrSample::kHalf;
  uint32_t x_sampling = 1;  // every how many pixels there is a sample
  uint32_t y_sampling = 1;
};

// Longer headers are refused: several copies of them are held. `tessera info` reads as much.
inline constexpr size_t kMostExrHeaderBytes = size_t{16} << 20;

struct ExrHeader {
  uint32_t width = 0;  // of the data window
  uint32_t height = 0;
  std::vector<ExrChannel> channels;
  uint64_t held_bytes = 0;  // that the library takes to unpack a chunk, or a row of tiles
  uint32_t held_rows = 1;   // of pixels that these are
  // The header as the library is to see it, as long as in the file: attributes that are not needed
  // for the pixels have a type without meaning, so that the library skips them.
  Bytes bytes;
};

bool looks_like_exr(ByteSpan bytes);

// Fails for files with several parts, with deep pixels and with headers that are too long (not
// supported), and for sizes that the file, which has `file_bytes` of which these are the first, is
// too short for.
Result<ExrHeader> read_exr_header(ByteSpan bytes, uint64_t file_bytes, const std::string& name);

}  // namespace tessera
