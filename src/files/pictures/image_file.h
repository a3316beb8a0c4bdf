// Picture files in and out. The type of an input is told by its content, that of an output by its
// name's extension.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

enum class ImageFileType : uint8_t {
  kPng,
  kJpeg,
  kPnm,  // PPM or PGM
  kPgm,  // for writing: PGM, nothing else
  kTga,
  kBmp,
  kExr,
  kHdr,
  kKtx2,  // of pixels that are not compressed; for reading
};

std::string_view image_file_type_name(ImageFileType type);

// By content; nothing when it looks like none of them.
std::optional<ImageFileType> detect_image_file_type(ByteSpan bytes);

// The extensions that such files usually have, with the dot and in small letters.
std::vector<std::string_view> picture_extensions();

// By extension (.png .ppm .pgm .tga .exr .hdr): types that can be written.
std::optional<ImageFileType> writable_type_of_name(std::string_view path);

// Samples as in the file, 1 to 4 channels: 8-bit or 16-bit, marked sRGB; half or float, marked
// linear. `name` is used in messages.
Result<Image> decode_image(ByteSpan bytes, const std::string& name, const ReadBudget& budget = {});

// What the header of a file of `file_bytes` says that it is, without its pixels. `head` is its
// beginning; fails where the header goes beyond that, too.
Result<ImageInfo> read_image_info(ByteSpan head, uint64_t file_bytes, const std::string& name);

// PNG keeps 16 bits; PPM/PGM too (alpha is refused unless opaque; PGM refuses colour); TGA is 8-bit
// only. They refuse half and float samples; OpenEXR and Radiance HDR take nothing else.
Result<Bytes> encode_image(const ImageView& image, ImageFileType type);

}  // namespace tessera
