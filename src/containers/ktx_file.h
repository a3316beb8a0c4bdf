// .ktx files of version 1, as OpenGL programs and older tools have them: mip levels, arrays and
// cube maps of ASTC and BC1. They know sRGB, but not HDR, which has the numbers of LDR.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "containers/ktx_header.h"
#include "containers/texture.h"

namespace tessera {

bool is_ktx_file(ByteSpan bytes);

// `head` is the beginning of a file of `file_bytes`, at least its first kTextureHeadBytes. Files of
// either byte order are read; `name` is used in messages.
Result<TextureIndex> read_ktx_index(ByteSpan head, uint64_t file_bytes, const std::string& name);

// What a header says of a texture of that format.
TextureInfo ktx_info(const ktx::Header& header, const NumberedFormat& format);

// The number before a level: that of all its bytes, but of cube maps that are no arrays that of one
// face.
uint64_t ktx_size_field(const TextureInfo& info, uint64_t bytes);

// What `keys` say about the texture's sides is in the letters of .ktx2 files.
Result<LargeBytes> write_ktx_file(const Texture& texture, const std::vector<TextureKey>& keys = {});

}  // namespace tessera
