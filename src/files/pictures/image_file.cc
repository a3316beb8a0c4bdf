// Finds the type of a picture file and calls its reader or writer.
#include "files/pictures/image_file.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "containers/texture_file.h"
#include "files/pictures/bmp.h"
#include "files/pictures/decode_error.h"
#include "files/pictures/exr.h"
#include "files/pictures/exr_header.h"
#include "files/pictures/jpeg.h"
#include "files/pictures/ktx2_pixels.h"
#include "files/pictures/png.h"
#include "files/pictures/pnm.h"
#include "files/pictures/radiance_hdr.h"
#include "files/pictures/tga.h"

namespace tessera {
namespace {

Result<Image> decode_as(ImageFileType type, ByteSpan bytes, const std::string& name,
                        const ReadBudget& budget) {
  switch (type) {
    case ImageFileType::kPng:
      return decode_png(bytes, name, budget);
    case ImageFileType::kJpeg:
      return decode_jpeg(bytes, name, budget);
    case ImageFileType::kPnm:
    case ImageFileType::kPgm:
      return decode_pnm(bytes, name, budget);
    case ImageFileType::kTga:
      return decode_tga(bytes, name, budget);
    case ImageFileType::kBmp:
      return decode_bmp(bytes, name, budget);
    case ImageFileType::kExr:
      return decode_exr(bytes, name, budget);
    case ImageFileType::kHdr:
      return decode_radiance_hdr(bytes, name, budget);
    case ImageFileType::kKtx2:
      return decode_ktx2_pixels(bytes, name, budget);
  }
  return failed_error("cannot decode " + name + ": unknown file type");
}

Result<ImageInfo> read_info_as(ImageFileType type, ByteSpan head, uint64_t file_bytes,
                               const std::string& name) {
  switch (type) {
    case ImageFileType::kPng:
      return read_png_info(head, file_bytes, name);
    case ImageFileType::kJpeg:
      return read_jpeg_info(head, file_bytes, name);
    case ImageFileType::kPnm:
    case ImageFileType::kPgm:
      return read_pnm_info(head, file_bytes, name);
    case ImageFileType::kTga:
      return read_tga_info(head, file_bytes, name);
    case ImageFileType::kBmp:
      return read_bmp_info(head, file_bytes, name);
    case ImageFileType::kExr:
      return read_exr_info(head, file_bytes, name);
    case ImageFileType::kHdr:
      return read_radiance_hdr_info(head, file_bytes, name);
    case ImageFileType::kKtx2:
      return read_ktx2_pixels_info(head, file_bytes, name);
  }
  return failed_error("cannot decode " + name + ": unknown file type");
}

Result<Bytes> encode_as(const ImageView& image, ImageFileType type) {
  switch (type) {
    case ImageFileType::kPng:
      return encode_png(image);
    case ImageFileType::kPnm:
    case ImageFileType::kPgm:
      return encode_pnm(image);
    case ImageFileType::kTga:
      return encode_tga(image);
    case ImageFileType::kExr:
      return encode_exr(image);
    case ImageFileType::kHdr:
      return encode_radiance_hdr(image);
    case ImageFileType::kJpeg:
    case ImageFileType::kBmp:
    case ImageFileType::kKtx2:
      break;
  }
  return unsupported_error(std::string(image_file_type_name(type)) + " files cannot be written");
}

struct SamplesOfFile {
  std::array<SampleType, 2> types;
  std::string_view description;
};

SamplesOfFile samples_of_file(ImageFileType type) {
  switch (type) {
    case ImageFileType::kExr:
    case ImageFileType::kHdr:
      return {{SampleType::kF16, SampleType::kF32}, "half and float ones"};
    case ImageFileType::kTga:
      return {{SampleType::kU8, SampleType::kU8}, "8-bit ones"};
    default:
      return {{SampleType::kU8, SampleType::kU16}, "8-bit and 16-bit ones"};
  }
}

Status check_encodable(const ImageView& image, ImageFileType type) {
  const std::string prefix =
      "cannot write a " + std::string(image_file_type_name(type)) + " file: the image ";
  const ImageInfo& info = image.info;
  if (image.data == nullptr || info.pixel_count() == 0 || info.channels < 1 || info.channels > 4) {
    return invalid_error(prefix + "has no pixels");
  }
  if (info.slices() != 1) {
    return unsupported_error(prefix + "has " + std::to_string(info.slices()) +
                             " slices, and the file can hold one");
  }
  if (type == ImageFileType::kPgm && info.channels > 2) {
    return usage_error(prefix + "has colours, and the file can hold grey only");
  }
  const SamplesOfFile served = samples_of_file(type);
  if (info.sample != served.types[0] && info.sample != served.types[1]) {
    return unsupported_error(prefix + "has " + std::string(sample_type_name(info.sample)) +
                             " samples, and the file can hold " + std::string(served.description));
  }
  return {};
}

Result<ImageFileType> known_type(ByteSpan head, const std::string& name) {
  if (head.empty()) {
    return invalid_content(name, "the file is empty");
  }
  const auto type = detect_image_file_type(head);
  if (!type && detect_container_type(head)) {
    return invalid_error(name + " is a compressed texture, not a picture: tessera transcode and " +
                         "tessera decode take those");
  }
  if (!type) {
    return invalid_error(name +
                         " is not a PNG, JPEG, PPM, PGM, TGA, BMP, OpenEXR or Radiance HDR file, "
                         "nor a texture (" +
                         all_container_names() + ")");
  }
  return *type;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

}  // namespace

std::string_view image_file_type_name(ImageFileType type) {
  switch (type) {
    case ImageFileType::kPng:
      return "PNG";
    case ImageFileType::kJpeg:
      return "JPEG";
    case ImageFileType::kPnm:
      return "PPM or PGM";
    case ImageFileType::kPgm:
      return "PGM";
    case ImageFileType::kTga:
      return "TGA";
    case ImageFileType::kBmp:
      return "BMP";
    case ImageFileType::kExr:
      return "OpenEXR";
    case ImageFileType::kHdr:
      return "Radiance HDR";
    case ImageFileType::kKtx2:
      return "KTX2";
  }
  return "unknown";
}

std::vector<std::string_view> picture_extensions() {
  return {".png", ".jpg", ".jpeg", ".ppm", ".pgm", ".pnm", ".tga", ".bmp", ".exr", ".hdr"};
}

std::optional<ImageFileType> detect_image_file_type(ByteSpan bytes) {
  if (looks_like_png(bytes)) {
    return ImageFileType::kPng;
  }
  if (looks_like_jpeg(bytes)) {
    return ImageFileType::kJpeg;
  }
  if (looks_like_pnm(bytes)) {
    return ImageFileType::kPnm;
  }
  if (looks_like_bmp(bytes)) {
    return ImageFileType::kBmp;
  }
  if (looks_like_exr(bytes)) {
    return ImageFileType::kExr;
  }
  if (looks_like_radiance_hdr(bytes)) {
    return ImageFileType::kHdr;
  }
  if (looks_like_ktx2_pixels(bytes)) {
    return ImageFileType::kKtx2;
  }
  if (looks_like_tga(bytes)) {  // last: it has no signature
    return ImageFileType::kTga;
  }
  return std::nullopt;
}

std::optional<ImageFileType> writable_type_of_name(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, ImageFileType>, 6> kExtensions = {{
      {".png", ImageFileType::kPng},
      {".ppm", ImageFileType::kPnm},
      {".pgm", ImageFileType::kPgm},
      {".tga", ImageFileType::kTga},
      {".exr", ImageFileType::kExr},
      {".hdr", ImageFileType::kHdr},
  }};
  const std::string lower = lower_case(path);
  for (const auto& [extension, type] : kExtensions) {
    if (lower.ends_with(extension)) {
      return type;
    }
  }
  return std::nullopt;
}

Result<Image> decode_image(ByteSpan bytes, const std::string& name, const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(const ImageFileType type, known_type(bytes, name));
  TESSERA_RETURN_IF_ERROR(budget.check_time(name));
  try {
    return decode_as(type, bytes, name, budget);
  } catch (const std::bad_alloc&) {
    return failed_error("cannot decode " + name + ": not enough memory");
  }
}

Result<ImageInfo> read_image_info(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const ImageFileType type, known_type(head, name));
  return read_info_as(type, head, file_bytes, name);
}

Result<Bytes> encode_image(const ImageView& image, ImageFileType type) {
  TESSERA_RETURN_IF_ERROR(check_encodable(image, type));
  try {
    return encode_as(image, type);
  } catch (const std::bad_alloc&) {
    return failed_error("not enough memory to write a " + std::string(image_file_type_name(type)) +
                        " file");
  }
}

}  // namespace tessera
