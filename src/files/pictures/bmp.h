// BMP, reading only: 1, 4 and 8 bits with a palette, 16, 24 and 32 bits, not compressed.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

bool looks_like_bmp(ByteSpan bytes);

// RGB, or RGBA when the header gives alpha a mask or 32-bit pixels have a fourth byte in use.
Result<Image> decode_bmp(ByteSpan bytes, const std::string& name, const ReadBudget& budget = {});

// What the header of a file of `file_bytes` says that the picture is; `head` is its beginning.
// Fails where the header goes beyond that, too.
Result<ImageInfo> read_bmp_info(ByteSpan head, uint64_t file_bytes, const std::string& name);

}  // namespace tessera
