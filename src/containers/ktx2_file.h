// .ktx2 files (Khronos texture): BC1 and ASTC with mip levels, array layers, faces of cube maps and
// depth, plain or compressed once more with Zstandard.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "containers/texture.h"
#include "containers/zstd_level.h"

namespace tessera {

bool is_ktx2_file(ByteSpan bytes);
// Such a file that does not hold pixels, which would make it a picture.
bool is_ktx2_texture(ByteSpan bytes);

// Other formats and other supercompression schemes are refused as not supported. Nothing
// is allocated before the sizes that the file claims are checked against its own.
// `head` is the beginning of a file of `file_bytes`, at least its first kTextureHeadBytes.
Result<TextureIndex> read_ktx2_index(ByteSpan head, uint64_t file_bytes, const std::string& name);
// With all levels.
Result<Texture> read_ktx2_file(ByteSpan bytes, const std::string& name);

struct Ktx2Options {
  bool zstd = false;
  int zstd_level = kDefaultZstdLevel;
  std::string made_with = {};
  std::vector<TextureKey> keys = {};
  // "rd", or "ru" where the first row is the lowest, with a third letter for slices or without; "":
  // not said.
  std::string orientation = {};
};

Result<LargeBytes> write_ktx2_file(const Texture& texture, const Ktx2Options& options = {});

}  // namespace tessera
