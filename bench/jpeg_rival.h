// libjpeg-turbo as it is used for small files: optimised Huffman tables, progressive.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera::bench {

// Grey or RGB (4:2:0), 8-bit.
Result<Bytes> encode_jpeg(const ImageView& image, int quality);

}  // namespace tessera::bench
