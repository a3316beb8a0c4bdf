// Pixels without a header: samples one behind the other, rows and slices without gaps, numbers of
// several bytes with the lowest byte first.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

// "64x64x32", or "64x64" for a picture: sides are whole numbers from 1 on. Sets the extents alone.
Status parse_raw_size(std::string_view text, ImageInfo& info);

// Copies pixels of that many bytes into an image. `name` is used in messages.
Result<Image> image_of_raw_pixels(ByteSpan bytes, const ImageInfo& info, const std::string& name);

}  // namespace tessera
