// Checks, reads and writes TGA files.
#include "files/pictures/tga.h"

#include <algorithm>

#include "files/pictures/decode_error.h"
#include "files/pictures/stb_formats.h"

namespace tessera {
namespace {

constexpr size_t kHeaderBytes = 18;

constexpr uint8_t kMapped = 1;
constexpr uint8_t kTrueColor = 2;
constexpr uint8_t kGrey = 3;
constexpr uint8_t kRunLengthFlag = 8;  // added to one of the above

constexpr uint8_t kAlphaBitsMask = 0x0f;
constexpr uint8_t kRightToLeft = 0x10;
constexpr uint8_t kReservedMask = 0xc0;

struct Header {
  uint8_t id_length = 0;
  uint8_t color_map_type = 0;
  uint8_t image_type = 0;
  uint16_t map_first = 0;
  uint16_t map_length = 0;
  uint8_t map_bits = 0;
  uint16_t width = 0;
  uint16_t height = 0;
  uint8_t pixel_bits = 0;
  uint8_t descriptor = 0;

  uint8_t kind() const { return image_type & 7; }
  bool run_length() const { return (image_type & kRunLengthFlag) != 0; }
  size_t pixel_bytes() const { return divide_round_up(pixel_bits, 8); }
  uint64_t pixels() const { return uint64_t{width} * height; }
  int alpha_bits() const { return descriptor & kAlphaBitsMask; }
  size_t data_offset() const {
    return kHeaderBytes + id_length + map_length * divide_round_up(map_bits, 8);
  }
};

Header read_header(ByteSpan bytes) {
  ByteReader reader(bytes);
  Header header;
  header.id_length = reader.read<uint8_t>();
  header.color_map_type = reader.read<uint8_t>();
  header.image_type = reader.read<uint8_t>();
  header.map_first = reader.read<uint16_t>();
  header.map_length = reader.read<uint16_t>();
  header.map_bits = reader.read<uint8_t>();
  reader.skip(4);  // where on a screen it was
  header.width = reader.read<uint16_t>();
  header.height = reader.read<uint16_t>();
  header.pixel_bits = reader.read<uint8_t>();
  header.descriptor = reader.read<uint8_t>();
  return header;
}

bool is_color_depth(uint8_t bits) {
  return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

bool has_plausible_depths(const Header& header) {
  const uint8_t bits = header.pixel_bits;
  if (header.kind() == kMapped) {
    return header.color_map_type == 1 && header.map_length > 0 && is_color_depth(header.map_bits) &&
           (bits == 8 || bits == 16);
  }
  const bool no_map = header.color_map_type == 0 && header.map_first == 0 &&
                      header.map_length == 0 &&
                      (header.map_bits == 0 || is_color_depth(header.map_bits));
  return no_map && (header.kind() == kGrey ? bits == 8 || bits == 16 : is_color_depth(bits));
}

// Calls use(pixel) for each pixel stored in the file. Returns false when they end before the
// header's number of pixels, or a run goes beyond it.
template <typename Use>
bool walk_pixels(const Header& header, ByteSpan data, const Use& use) {
  const size_t pixel_bytes = header.pixel_bytes();
  uint64_t left = header.pixels();
  while (left > 0) {
    uint64_t covered = left;  // without run lengths: everything, each pixel stored
    bool repeated = false;
    if (header.run_length()) {
      if (data.empty()) {
        return false;
      }
      covered = uint64_t{data[0] & 0x7fu} + 1;
      repeated = (data[0] & 0x80) != 0;
      data = data.subspan(1);
    }
    const uint64_t stored = repeated ? 1 : covered;
    if (covered > left || stored * pixel_bytes > data.size()) {
      return false;
    }
    for (uint64_t i = 0; i < stored; ++i) {
      use(data.data() + i * pixel_bytes);
    }
    data = data.subspan(stored * pixel_bytes);
    left -= covered;
  }
  return true;
}

Status check_pixels(const Header& header, ByteSpan bytes, const std::string& name) {
  uint32_t largest_index = 0;
  const auto use = [&](const uint8_t* pixel) {
    if (header.kind() == kMapped) {
      const uint32_t high = header.pixel_bits == 16 ? pixel[1] : 0;
      largest_index = std::max(largest_index, high << 8 | pixel[0]);
    }
  };
  if (!walk_pixels(header, bytes.subspan(header.data_offset()), use)) {
    return invalid_content(name, "its pixels do not fill the " + std::to_string(header.width) +
                                     "x" + std::to_string(header.height) + " of its TGA header");
  }
  if (header.kind() == kMapped && largest_index >= header.map_length) {
    return invalid_content(name, "a pixel names colour " + std::to_string(largest_index) +
                                     ", but the colour map has only " +
                                     std::to_string(header.map_length));
  }
  return {};
}

Status check_served(const Header& header, const std::string& name) {
  if ((header.descriptor & kRightToLeft) != 0) {
    return unsupported_content(name, "TGA files stored from right to left cannot be read");
  }
  if (header.map_first != 0) {
    return unsupported_content(name, "TGA colour maps that do not start at 0 cannot be read");
  }
  if (header.kind() == kGrey && header.pixel_bits == 16 && header.alpha_bits() != 8) {
    return unsupported_content(name, "grey TGA files with 16 bits per sample cannot be read");
  }
  return {};
}

ImageInfo info_of(const Header& header) {
  const uint8_t bits = header.kind() == kMapped ? header.map_bits : header.pixel_bits;
  uint32_t channels = 3;
  if (header.kind() == kGrey) {
    channels = bits / 8u;
  } else if (bits == 32 && header.alpha_bits() != 0) {
    channels = 4;
  }
  return picture_info(header.width, header.height, channels, SampleType::kU8);
}

// Of a file that can be read and is long enough for its pixels, at the best that run lengths do.
Result<Header> read_checked_header(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  if (!looks_like_tga(head)) {
    return invalid_content(name, "its header is not one of a TGA file");
  }
  const Header header = read_header(head);
  TESSERA_RETURN_IF_ERROR(check_served(header, name));
  constexpr uint64_t kLongestRun = 128;
  const uint64_t least = header.run_length() ? divide_round_up(header.pixels(), kLongestRun) *
                                                   (header.pixel_bytes() + 1)
                                             : header.pixels() * header.pixel_bytes();
  if (header.data_offset() > file_bytes) {
    return invalid_content(name, "the TGA data ends before the first pixel");
  }
  if (least > file_bytes - header.data_offset()) {
    return invalid_content(name, "its pixels do not fill the " + std::to_string(header.width) +
                                     "x" + std::to_string(header.height) + " of its TGA header");
  }
  TESSERA_RETURN_IF_ERROR(check_stb_size(name, file_bytes, header.width, header.height));
  return header;
}

void append_pixel(const uint8_t* pixel, uint32_t channels, Bytes& bytes) {
  const bool grey = channels <= 2;
  if (channels == 1) {
    bytes.push_back(pixel[0]);
    return;
  }
  bytes.push_back(grey ? pixel[0] : pixel[2]);
  bytes.push_back(grey ? pixel[0] : pixel[1]);
  bytes.push_back(pixel[0]);
  if (channels != 3) {
    bytes.push_back(pixel[channels - 1]);
  }
}

}  // namespace

bool looks_like_tga(ByteSpan bytes) {
  if (bytes.size() < kHeaderBytes) {
    return false;
  }
  const Header header = read_header(bytes);
  const uint8_t kind = header.kind();
  return (header.image_type & ~(7 | kRunLengthFlag)) == 0 &&
         (kind == kMapped || kind == kTrueColor || kind == kGrey) && header.width > 0 &&
         header.height > 0 && (header.descriptor & kReservedMask) == 0 &&
         header.alpha_bits() <= 8 && has_plausible_depths(header);
}

Result<ImageInfo> read_tga_info(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_checked_header(head, file_bytes, name));
  return info_of(header);
}

Result<Image> decode_tga(ByteSpan bytes, const std::string& name, const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_checked_header(bytes, bytes.size(), name));
  TESSERA_RETURN_IF_ERROR(check_pixels(header, bytes, name));
  return decode_with_stb(bytes, name, info_of(header), {.file = bytes.size()}, budget);
}

Result<Bytes> encode_tga(const ImageView& image) {
  if (image.info.width > UINT16_MAX || image.info.height > UINT16_MAX) {
    return unsupported_error("cannot write a TGA file: it can have at most 65535 pixels per side");
  }
  const uint32_t channels = image.info.channels;
  const uint32_t stored = channels == 2 ? 4 : channels;
  Bytes bytes;
  bytes.reserve(kHeaderBytes + image.info.pixel_count() * stored);
  ByteWriter writer(bytes);
  writer.write<uint8_t>(0);  // no identification
  writer.write<uint8_t>(0);  // no colour map
  writer.write<uint8_t>(channels == 1 ? kGrey : kTrueColor);
  writer.write_zeros(5 + 4);  // colour map, screen position
  writer.write(static_cast<uint16_t>(image.info.width));
  writer.write(static_cast<uint16_t>(image.info.height));
  writer.write(static_cast<uint8_t>(stored * 8));
  writer.write<uint8_t>(image.info.has_alpha() ? 8 : 0);  // alpha bits; bottom row first
  for (uint32_t y = image.info.height; y-- > 0;) {
    const uint8_t* const row = image.row<uint8_t>(y);
    for (size_t x = 0; x < image.info.width; ++x) {
      append_pixel(row + x * channels, channels, bytes);
    }
  }
  return bytes;
}

}  // namespace tessera
