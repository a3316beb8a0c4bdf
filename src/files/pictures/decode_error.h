// What the readers of this folder share: sentences that name the file, and the image that a file's
// header asks for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/read_budget.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

// Width and height that any file may claim; beyond it no pixel arithmetic is done at all, so sizes
// in bits of width·height·64 always fit 64 bits. The same limit as Image::create's.
inline constexpr uint32_t kMaxFileExtent = 1u << 24;

// "cannot decode NAME: REASON".
Error invalid_content(const std::string& name, std::string_view reason);
Error unsupported_content(const std::string& name, std::string_view reason);

// Refuses zero and absurd sizes.
Status check_file_extent(const std::string& name, uint64_t width, uint64_t height);

// The reason to give when a header claims more pixels than the bytes of the file could hold.
std::string too_few_bytes_reason(uint64_t width, uint64_t height);

// What a picture is, as its header says: sRGB, one slice.
ImageInfo picture_info(uint32_t width, uint32_t height, uint32_t channels, SampleType sample);

// A zero-filled image, if the limits allow it; the error names the file. `beside` is the size of
// the file and what its reader needs.
Result<Image> create_decoded_image(const std::string& name, const ImageInfo& info,
                                   const MemoryNeed& beside, const ReadBudget& budget);

}  // namespace tessera
