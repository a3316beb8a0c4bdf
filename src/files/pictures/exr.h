// OpenEXR, where the build has its library: half and float, rows or tiles, one part.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

bool have_openexr();

// Channels R, G, B (and A), or Y (and A); others are left out. Halves when all of them are halves,
// else floats; linear. The image is as large as the file's data window.
Result<Image> decode_exr(ByteSpan bytes, const std::string& name);

// Half and float samples, ZIP-compressed, without loss.
Result<Bytes> encode_exr(const ImageView& image);

}  // namespace tessera
