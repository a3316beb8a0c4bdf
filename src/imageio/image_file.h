// Picture files in and out. The type of an input is told by its content, that of an output by its
// name's extension.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

enum class ImageFileType : uint8_t {
  kPng,
  kJpeg,
  kPnm,  // PPM or PGM
  kPgm,  // for writing: PGM, nothing else
  kTga,
  kBmp
};

std::string_view image_file_type_name(ImageFileType type);

// By content; nothing when it looks like none of them.
std::optional<ImageFileType> detect_image_file_type(ByteSpan bytes);

// By extension (.png .ppm .pgm .tga): types that can be written.
std::optional<ImageFileType> writable_type_of_name(std::string_view path);

// Samples as in the file: 8-bit or 16-bit, 1 to 4 channels, marked sRGB. `name` is used in
// messages.
Result<Image> decode_image(ByteSpan bytes, const std::string& name);

// PNG keeps 16 bits; PPM/PGM too (alpha is refused unless opaque; PGM refuses colour); TGA is 8-bit
// only.
// Half and float samples are refused.
Result<Bytes> encode_image(const ImageView& image, ImageFileType type);

}  // namespace tessera
