// JPEG, reading only: grey, YCbCr and RGB with 8 bits per sample, baseline and progressive.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

bool looks_like_jpeg(ByteSpan bytes);

// 1 (grey) or 3 (RGB) channels. Where the library only warns of missing or damaged pixels and goes
// on with made-up ones, this refuses the file.
Result<Image> decode_jpeg(ByteSpan bytes, const std::string& name, const ReadBudget& budget = {});

// What the header of a file of `file_bytes` says that the picture is; `head` is its beginning.
// Fails where the header goes beyond that, too.
Result<ImageInfo> read_jpeg_info(ByteSpan head, uint64_t file_bytes, const std::string& name);

}  // namespace tessera
