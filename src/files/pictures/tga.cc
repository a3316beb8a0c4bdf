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
constexpr uint8_t kTopDown = 0x20;
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

// The pixels of a file as they are stored, one after the other, without their run lengths.
class StoredPixels {
 public:
  StoredPixels(const Header& header, ByteSpan data)
      : pixel_bytes_(header.pixel_bytes()),
        run_length_(header.run_length()),
        left_(header.pixels()),
        data_(data) {}

  // The next `count` pixels. False when the file ends before, or a run goes beyond the picture.
  bool append(uint64_t count, Bytes& out) {
    while (count > 0) {
      if (in_packet_ == 0 && !next_packet()) {
        return false;
      }
      const uint64_t part = std::min(count, in_packet_);
      for (uint64_t i = 0; repeated_ && i < part; ++i) {
        out.insert(out.end(), data_.data(), data_.data() + pixel_bytes_);
      }
      if (!repeated_) {
        out.insert(out.end(), data_.data(), data_.data() + part * pixel_bytes_);
      }
      in_packet_ -= part;
      count -= part;
      if (!repeated_ || in_packet_ == 0) {
        data_ = data_.subspan((repeated_ ? 1 : part) * pixel_bytes_);
      }
    }
    return true;
  }

 private:
  bool next_packet() {
    in_packet_ = left_;  // without run lengths: everything, each pixel stored
    if (run_length_) {
      if (data_.empty()) {
        return false;
      }
      in_packet_ = uint64_t{data_[0] & 0x7fu} + 1;
      repeated_ = (data_[0] & 0x80) != 0;
      data_ = data_.subspan(1);
    }
    if (in_packet_ > left_ || (repeated_ ? 1 : in_packet_) * pixel_bytes_ > data_.size()) {
      return false;
    }
    left_ -= in_packet_;
    return true;
  }

  size_t pixel_bytes_;
  bool run_length_;
  uint64_t left_;  // pixels of the picture that no packet has covered
  ByteSpan data_;
  uint64_t in_packet_ = 0;  // pixels that are left of it
  bool repeated_ = false;
};

Error do_not_fill(const Header& header, const std::string& name) {
  return invalid_content(name, "its pixels do not fill the " + std::to_string(header.width) + "x" +
                                   std::to_string(header.height) + " of its TGA header");
}

Status check_indices(const Header& header, ByteSpan pixels, const std::string& name) {
  if (header.kind() != kMapped) {
    return {};
  }
  uint32_t largest = 0;
  const size_t pixel_bytes = header.pixel_bytes();
  for (size_t i = 0; i < pixels.size(); i += pixel_bytes) {
    const uint32_t high = pixel_bytes == 2 ? pixels[i + 1] : 0;
    largest = std::max(largest, high << 8 | pixels[i]);
  }
  if (largest >= header.map_length) {
    return invalid_content(name, "a pixel names colour " + std::to_string(largest) +
                                     ", but the colour map has only " +
                                     std::to_string(header.map_length));
  }
  return {};
}

// Some rows as a file without run lengths. `file` is the whole one.
Result<Bytes> make_rows(const Header& header, ByteSpan file, uint32_t rows, StoredPixels& pixels,
                        const std::string& name) {
  Bytes bytes(file.begin(), file.begin() + kHeaderBytes);
  bytes[0] = 0;  // no identification
  bytes[2] = header.kind();
  bytes[14] = static_cast<uint8_t>(rows & 0xff);
  bytes[15] = static_cast<uint8_t>(rows >> 8);
  const ByteSpan map = file.subspan(kHeaderBytes + header.id_length,
                                    header.data_offset() - kHeaderBytes - header.id_length);
  bytes.insert(bytes.end(), map.begin(), map.end());
  const size_t begin = bytes.size();
  bytes.reserve(begin + uint64_t{header.width} * rows * header.pixel_bytes());
  if (!pixels.append(uint64_t{header.width} * rows, bytes)) {
    return do_not_fill(header, name);
  }
  TESSERA_RETURN_IF_ERROR(check_indices(header, ByteSpan(bytes).subspan(begin), name));
  return bytes;
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
    return do_not_fill(header, name);
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

Result<StoredRows> find_tga_rows(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_checked_header(head, file_bytes, name));
  const bool is_grey = header.kind() == kGrey && header.pixel_bits == 8;
  const bool is_color = header.kind() == kTrueColor && header.pixel_bits >= 24;
  if (header.run_length() || !(is_grey || is_color)) {
    return unsupported_content(name, "its rows cannot be read one by one");
  }
  StoredRows rows;
  rows.info = info_of(header);
  rows.offset = header.data_offset();
  rows.row_bytes = header.width * header.pixel_bytes();
  rows.bottom_up = (header.descriptor & kTopDown) == 0;
  if (is_color) {
    rows.unpack = [header, channels = rows.info.channels](const uint8_t* stored,
                                                          uint8_t* row) -> Status {
      for (uint32_t x = 0; x < header.width; ++x, stored += header.pixel_bytes(), row += channels) {
        row[0] = stored[2];  // blue comes first in the file
        row[1] = stored[1];
        row[2] = stored[0];
        if (channels == 4) {
          row[3] = stored[3];
        }
      }
      return {};
    };
  }
  return rows;
}

Result<Image> decode_tga(ByteSpan bytes, const std::string& name, const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_checked_header(bytes, bytes.size(), name));
  StoredPixels pixels(header, bytes.subspan(header.data_offset()));
  StbRows picture;
  picture.info = info_of(header);
  picture.bottom_up = (header.descriptor & kTopDown) == 0;
  picture.row_bytes = header.width * header.pixel_bytes();
  picture.extra_bytes = header.data_offset();
  picture.make_file = [&](uint32_t /*first*/, uint32_t rows) {
    return make_rows(header, bytes, rows, pixels, name);
  };
  return decode_with_stb(picture, name, bytes.size(), budget);
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
