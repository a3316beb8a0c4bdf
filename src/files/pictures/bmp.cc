// BMP headers come in eight sizes, and stb_image reads some of them wrongly (the palette of the
// 12-byte one, masks inside the 56-byte one, gaps before the pixels). So the header is read here,
// and the library gets the same pixels behind one header it does read well, the 108-byte one.
#include "files/pictures/bmp.h"

#include <algorithm>
#include <array>
#include <bit>

#include "files/pictures/decode_error.h"
#include "files/pictures/stb_formats.h"

namespace tessera {
namespace {

constexpr size_t kFileHeaderBytes = 14;
constexpr std::array<uint32_t, 8> kInfoHeaderSizes = {12, 16, 40, 52, 56, 64, 108, 124};
constexpr uint32_t kOldInfoHeader = 12;
constexpr uint32_t kOs2InfoHeader = 64;
constexpr uint32_t kStandardInfoHeader = 40;  // masks, where there are any, come right after it
constexpr uint32_t kFirstInfoHeaderWithAlphaMask = 56;
constexpr uint32_t kCanonicalInfoHeader = 108;

constexpr uint32_t kNotCompressed = 0;
constexpr uint32_t kRunLength8 = 1;
constexpr uint32_t kRunLength4 = 2;
constexpr uint32_t kColorMasks = 3;
constexpr uint32_t kJpegInside = 4;
constexpr uint32_t kPngInside = 5;
constexpr uint32_t kColorAndAlphaMasks = 6;

struct Header {
  uint32_t pixel_offset = 0;
  uint32_t info_size = 0;
  uint32_t width = 0;
  uint32_t height = 0;
  bool top_down = false;
  uint16_t planes = 0;
  uint16_t pixel_bits = 0;
  uint32_t compression = kNotCompressed;
  uint32_t colors_used = 0;
  std::array<uint32_t, 4> masks = {};  // red, green, blue, alpha
  size_t palette_offset = 0;           // behind the header and the masks

  bool has_palette() const { return pixel_bits <= 8; }
  bool has_masks() const {
    return compression == kColorMasks || compression == kColorAndAlphaMasks;
  }
  size_t palette_entry_bytes() const { return info_size == kOldInfoHeader ? 3 : 4; }
  uint64_t row_bytes() const { return divide_round_up(uint64_t{width} * pixel_bits, 32) * 4; }
  uint64_t pixel_bytes() const { return row_bytes() * height; }
};

void read_masks(ByteSpan bytes, Header& header) {
  ByteReader reader(bytes);
  reader.skip(kFileHeaderBytes + kStandardInfoHeader);
  const bool alpha = header.compression == kColorAndAlphaMasks ||
                     header.info_size >= kFirstInfoHeaderWithAlphaMask;
  for (size_t i = 0; i < (alpha ? 4 : 3); ++i) {
    header.masks[i] = reader.read<uint32_t>();
  }
  header.palette_offset = std::max(header.palette_offset, reader.position());
}

Result<Header> read_header(ByteSpan bytes, const std::string& name) {
  ByteReader reader(bytes);
  Header header;
  reader.skip(10);
  header.pixel_offset = reader.read<uint32_t>();
  header.info_size = reader.read<uint32_t>();
  header.palette_offset = kFileHeaderBytes + header.info_size;
  if (header.info_size == kOldInfoHeader) {
    header.width = reader.read<uint16_t>();
    header.height = reader.read<uint16_t>();
  } else {
    header.width = reader.read<uint32_t>();
    const uint32_t height = reader.read<uint32_t>();
    header.top_down = height >> 31 != 0;  // a negative height
    header.height = header.top_down ? 0 - height : height;
  }
  header.planes = reader.read<uint16_t>();
  header.pixel_bits = reader.read<uint16_t>();
  if (header.info_size >= kStandardInfoHeader) {
    header.compression = reader.read<uint32_t>();
    reader.skip(12);  // bytes of pixels, pixels a metre
    header.colors_used = reader.read<uint32_t>();
  }
  if (header.has_masks()) {
    read_masks(bytes, header);
  }
  if (!reader.ok() || header.palette_offset > bytes.size()) {
    return invalid_content(name, "its BMP header is not complete");
  }
  return header;
}

Status check_compression(const Header& header, const std::string& name) {
  switch (header.compression) {
    case kNotCompressed:
      return {};
    case kRunLength8:
    case kRunLength4:
      return unsupported_content(name, "run-length encoded BMP files cannot be read");
    case kJpegInside:
    case kPngInside:
      return unsupported_content(name, "BMP files with a JPEG or PNG inside cannot be read");
    case kColorMasks:
    case kColorAndAlphaMasks:
      if (header.info_size == kOs2InfoHeader) {
        return unsupported_content(name, "compressed OS/2 BMP files cannot be read");
      }
      if (header.pixel_bits == 16 || header.pixel_bits == 32) {
        return {};
      }
      return invalid_content(name, "colour masks need 16 or 32 bits per pixel, and it has " +
                                       std::to_string(header.pixel_bits));
    default:
      return invalid_content(name, "its BMP header names an unknown compression, " +
                                       std::to_string(header.compression));
  }
}

Status check_masks(const Header& header, const std::string& name) {
  for (size_t i = 0; i < header.masks.size(); ++i) {
    const uint32_t mask = header.masks[i];
    if (mask == 0 && i == 3) {
      continue;  // no alpha
    }
    const int bits = std::popcount(mask);
    const int end = 32 - std::countl_zero(mask);  // one above the highest bit
    const bool contiguous = end - std::countr_zero(mask) == bits;
    if (mask == 0 || !contiguous || end > header.pixel_bits) {
      return invalid_content(name, "its colour masks are not runs of bits within a pixel");
    }
    if (bits > 8) {
      return unsupported_content(name, "BMP files with more than 8 bits per sample cannot be read");
    }
  }
  return {};
}

Status check_header(const Header& header, uint64_t file_bytes, const std::string& name) {
  TESSERA_RETURN_IF_ERROR(check_file_extent(name, header.width, header.height));
  if (header.planes != 1) {
    return invalid_content(name, "its BMP header must say 1 plane");
  }
  constexpr std::array<uint16_t, 6> kPixelBits = {1, 4, 8, 16, 24, 32};
  if (std::find(kPixelBits.begin(), kPixelBits.end(), header.pixel_bits) == kPixelBits.end()) {
    return unsupported_content(name, "BMP files with " + std::to_string(header.pixel_bits) +
                                         " bits per pixel cannot be read");
  }
  TESSERA_RETURN_IF_ERROR(check_compression(header, name));
  if (header.has_masks()) {
    TESSERA_RETURN_IF_ERROR(check_masks(header, name));
  }
  if (header.pixel_offset < header.palette_offset || header.pixel_offset > file_bytes) {
    return invalid_content(name, "its pixels start outside the file");
  }
  if (header.pixel_bytes() > file_bytes - header.pixel_offset) {
    return invalid_content(name, too_few_bytes_reason(header.width, header.height));
  }
  return check_stb_size(name, file_bytes, header.width, header.height);
}

Result<Header> read_checked_header(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  if (!looks_like_bmp(head)) {
    return invalid_content(name, "its header is not one of a BMP file");
  }
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_header(head, name));
  TESSERA_RETURN_IF_ERROR(check_header(header, file_bytes, name));
  return header;
}

// The library gives four channels where there is an alpha mask, or a byte that may be alpha.
ImageInfo info_of(const Header& header) {
  const bool alpha = header.has_masks() ? header.masks[3] != 0 : header.pixel_bits == 32;
  return picture_info(header.width, header.height, alpha ? 4 : 3, SampleType::kU8);
}

// Always complete: colours that the file leaves out are black, so that no pixel's index is outside.
void append_palette(const Header& header, ByteSpan bytes, Bytes& canonical) {
  const size_t full = size_t{1} << header.pixel_bits;
  const size_t claimed = header.colors_used != 0 ? header.colors_used : full;
  const size_t room = (header.pixel_offset - header.palette_offset) / header.palette_entry_bytes();
  const size_t present = std::min({full, claimed, room});
  ByteWriter writer(canonical);
  for (size_t i = 0; i < full; ++i) {
    const size_t offset = header.palette_offset + i * header.palette_entry_bytes();
    if (i < present) {
      writer.write_bytes(bytes.subspan(offset, 3));
    } else {
      writer.write_zeros(3);
    }
    writer.write_zeros(1);
  }
}

// Whether a picture of 32 bits without masks has alpha: if it is 0 everywhere, it is none. The
// library decides this for what it gets, and gets some rows at a time.
Result<bool> has_any_alpha(const Header& header, ByteSpan bytes, const std::string& name,
                           const ReadBudget& budget) {
  constexpr size_t kPart = size_t{1} << 20;  // bytes between two looks at the budget
  const ByteSpan pixels = bytes.subspan(header.pixel_offset, header.pixel_bytes());
  for (size_t begin = 0; begin < pixels.size(); begin += kPart) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    const ByteSpan part = pixels.subspan(begin, std::min(kPart, pixels.size() - begin));
    for (size_t i = 3; i < part.size(); i += 4) {
      if (part[i] != 0) {
        return true;
      }
    }
  }
  return false;
}

size_t canonical_header_bytes(const Header& header) {
  return kFileHeaderBytes + kCanonicalInfoHeader +
         (header.has_palette() ? size_t{4} << header.pixel_bits : 0);
}

// Some rows as a file of their own, from the file's row `first` on.
Bytes make_rows(const Header& header, ByteSpan bytes, uint32_t first, uint32_t rows) {
  const size_t pixel_offset = canonical_header_bytes(header);
  Bytes canonical;
  canonical.reserve(pixel_offset + rows * header.row_bytes());
  ByteWriter writer(canonical);
  writer.write<uint8_t>('B');
  writer.write<uint8_t>('M');
  writer.write_zeros(8);  // the file's size, not looked at
  writer.write(static_cast<uint32_t>(pixel_offset));
  writer.write(kCanonicalInfoHeader);
  writer.write(header.width);
  writer.write(header.top_down ? 0 - rows : rows);
  writer.write<uint16_t>(1);
  writer.write(header.pixel_bits);
  writer.write(header.has_masks() ? kColorMasks : kNotCompressed);
  writer.write_zeros(20);  // sizes and counts, not looked at
  for (const uint32_t mask : header.masks) {
    writer.write(mask);
  }
  writer.write_zeros(52);  // colour space
  if (header.has_palette()) {
    append_palette(header, bytes, canonical);
  }
  writer.write_bytes(
      bytes.subspan(header.pixel_offset + first * header.row_bytes(), rows * header.row_bytes()));
  return canonical;
}

}  // namespace

bool looks_like_bmp(ByteSpan bytes) {
  if (bytes.size() < kFileHeaderBytes + 4 || bytes[0] != 'B' || bytes[1] != 'M') {
    return false;
  }
  const uint32_t info_size = ByteReader(bytes.subspan(kFileHeaderBytes)).read<uint32_t>();
  return std::find(kInfoHeaderSizes.begin(), kInfoHeaderSizes.end(), info_size) !=
         kInfoHeaderSizes.end();
}

Result<ImageInfo> read_bmp_info(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_checked_header(head, file_bytes, name));
  return info_of(header);
}

Result<Image> decode_bmp(ByteSpan bytes, const std::string& name, const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(Header header, read_checked_header(bytes, bytes.size(), name));
  StbRows picture;
  picture.info = info_of(header);
  picture.bottom_up = !header.top_down;
  picture.row_bytes = header.row_bytes();
  picture.extra_bytes = canonical_header_bytes(header);
  picture.make_file = [&](uint32_t first, uint32_t rows) -> Result<Bytes> {
    return make_rows(header, bytes, first, rows);
  };
  if (header.pixel_bits == 32 && !header.has_masks()) {
    TESSERA_ASSIGN_OR_RETURN(const bool has_alpha, has_any_alpha(header, bytes, name, budget));
    if (has_alpha) {  // then it is kept where it is 0, too
      header.compression = kColorAndAlphaMasks;
      header.masks = {0xFF0000, 0xFF00, 0xFF, 0xFF000000};
    }
  }
  return decode_with_stb(picture, name, bytes.size(), budget);
}

}  // namespace tessera
