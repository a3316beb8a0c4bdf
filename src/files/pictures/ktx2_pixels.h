// .ktx2 files whose texels are not compressed: pixels of one to four channels, as pictures, arrays
// and volumes.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

bool looks_like_ktx2_pixels(ByteSpan bytes);

// How many mip levels there are, of which the largest is read.
uint32_t ktx2_pixels_levels(ByteSpan head);

// R8 is grey; RG8 gets a blue of 0.
Result<ImageInfo> read_ktx2_pixels_info(ByteSpan head, uint64_t file_bytes,
                                        const std::string& name);

// The largest level, all slices.
Result<Image> decode_ktx2_pixels(ByteSpan bytes, const std::string& name, const ReadBudget& budget);

}  // namespace tessera
