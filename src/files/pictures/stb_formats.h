// The one door to stb_image. It trusts headers and makes up pixels where a file ends too early, so
// tga.cc and bmp.cc check a file completely before it comes here.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

// Refuses what the library's 32-bit sizes cannot hold: 2 GiB of file or of pixels.
Status check_stb_size(const std::string& name, uint64_t file_bytes, uint64_t width,
                      uint64_t height);

// `info` is what the header says. The library's own pixels are counted with the memory that
// `beside` tells.
Result<Image> decode_with_stb(ByteSpan bytes, const std::string& name, const ImageInfo& info,
                              const MemoryNeed& beside, const ReadBudget& budget);

}  // namespace tessera
