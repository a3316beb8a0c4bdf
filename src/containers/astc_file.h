// .astc files: a magic number, the block's size, the image's size, then the blocks. They hold one
// mip level and do not say whether it is LDR, sRGB or HDR.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "containers/texture.h"

namespace tessera {

bool is_astc_file(ByteSpan bytes);

// `name` is used in messages.
// `head` is the beginning of a file of `file_bytes`, at least its first kTextureHeadBytes.
Result<TextureIndex> read_astc_index(ByteSpan head, uint64_t file_bytes, const std::string& name);
// With all levels.
Result<Texture> read_astc_file(ByteSpan bytes, const std::string& name);

// Fails for more than one level or layer, and for sides of 2^24 texels or more.
Result<LargeBytes> write_astc_file(const Texture& texture);

}  // namespace tessera
