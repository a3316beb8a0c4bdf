// Radiance pictures (.hdr): three 8-bit mantissas and a common exponent a pixel. Read run-length
// encoded (both ways) and flat; brightness as stored, without the header's EXPOSURE.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

bool looks_like_radiance_hdr(ByteSpan bytes);

// Three channels of linear floats. Rows from top to bottom, pixels from left to right; other
// orders and XYZ colours are refused as not supported.
Result<Image> decode_radiance_hdr(ByteSpan bytes, const std::string& name,
                                  const ReadBudget& budget = {});

// What the header of a file of `file_bytes` says that the picture is; `head` is its beginning.
// Fails where the header goes beyond that, too.
Result<ImageInfo> read_radiance_hdr_info(ByteSpan head, uint64_t file_bytes,
                                         const std::string& name);

// Half and float samples; grey is written as RGB, alpha is refused unless opaque. The format has no
// negative numbers and no infinity: they become 0 and the largest number, NaN becomes 0. What came
// from such a file is written back exactly.
Result<Bytes> encode_radiance_hdr(const ImageView& image);

}  // namespace tessera
