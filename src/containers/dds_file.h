// .dds files (DirectDraw surface): the formats whose row in the table names them, by their FourCC
// or with the DX10 header, with mip levels, arrays, cube maps and volumes.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "containers/texture.h"

namespace tessera {

bool is_dds_file(ByteSpan bytes);

// Cube maps without some of their faces, and other formats are refused as not supported.
// `head` is the beginning of a file of `file_bytes`, at least its first kTextureHeadBytes.
Result<TextureIndex> read_dds_index(ByteSpan head, uint64_t file_bytes, const std::string& name);
// With all levels.
Result<Texture> read_dds_file(ByteSpan bytes, const std::string& name);

enum class DdsHeader : uint8_t {
  kAuto,    // the old header; DX10 where the old one cannot say something (sRGB, arrays)
  kLegacy,  // FourCC DXT1, read by every program
  kDx10,
};

Result<LargeBytes> write_dds_file(const Texture& texture, DdsHeader header = DdsHeader::kAuto);

}  // namespace tessera
