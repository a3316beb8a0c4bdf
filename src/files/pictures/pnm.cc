// Reads and writes PPM and PGM files.
#include "files/pictures/pnm.h"

#include <optional>

#include "files/pictures/decode_error.h"

namespace tessera {
namespace {

constexpr uint32_t kMaxValue = 65535;

bool is_space(uint8_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool is_digit(uint8_t c) {
  return c >= '0' && c <= '9';
}

// Numbers separated by white space and comments ('#' to the end of the line).
class NumberReader {
 public:
  NumberReader(ByteSpan bytes, size_t position) : bytes_(bytes), position_(position) {}

  // Nothing at the end, and where something else than a number stands. Values beyond 32 bits come
  // out as the largest one.
  std::optional<uint32_t> next() {
    skip_blanks();
    if (at_end() || !is_digit(bytes_[position_])) {
      return std::nullopt;
    }
    uint64_t value = 0;
    for (; !at_end() && is_digit(bytes_[position_]); ++position_) {
      value = value * 10 + (bytes_[position_] - uint64_t{'0'});
      value = value < UINT32_MAX ? value : UINT32_MAX;
    }
    return static_cast<uint32_t>(value);
  }

  // The one white space byte between the header and binary samples.
  bool skip_one_space() {
    if (at_end() || !is_space(bytes_[position_])) {
      return false;
    }
    ++position_;
    return true;
  }

  bool at_end() const { return position_ == bytes_.size(); }
  size_t position() const { return position_; }

 private:
  void skip_blanks() {
    for (; !at_end(); ++position_) {
      if (bytes_[position_] == '#') {
        while (!at_end() && bytes_[position_] != '\n') {
          ++position_;
        }
        if (at_end()) {
          return;
        }
      } else if (!is_space(bytes_[position_])) {
        return;
      }
    }
  }

  ByteSpan bytes_;
  size_t position_;
};

struct Header {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t channels = 0;
  uint32_t max_value = 0;
  bool binary = false;

  bool wide() const { return max_value > 255; }
  uint64_t row_samples() const { return uint64_t{width} * channels; }
  uint64_t samples() const { return row_samples() * height; }
};

uint32_t scale(uint32_t value, uint32_t max_value, uint32_t new_max) {
  return (value * new_max + max_value / 2) / max_value;  // 65535² fits 32 bits
}

Result<Header> read_header(NumberReader& reader, uint8_t kind, uint64_t file_bytes,
                           const std::string& name) {
  Header header;
  header.binary = kind == '5' || kind == '6';
  header.channels = kind == '3' || kind == '6' ? 3 : 1;
  const auto width = reader.next();
  const auto height = reader.next();
  const auto max_value = reader.next();
  if (!width || !height || !max_value) {
    return invalid_content(name, "its header must give width, height and maximum value");
  }
  header.width = *width;
  header.height = *height;
  header.max_value = *max_value;
  TESSERA_RETURN_IF_ERROR(check_file_extent(name, header.width, header.height));
  if (header.max_value == 0 || header.max_value > kMaxValue) {
    return invalid_content(name, "its maximum value must be between 1 and 65535");
  }
  if (header.binary && !reader.skip_one_space()) {
    return invalid_content(name, "its maximum value must be followed by white space");
  }
  const uint64_t sample_size = header.wide() ? 2 : 1;
  // As decimal numbers, a sample has at least a digit and a space, and the last needs no space.
  const uint64_t least = header.binary ? header.samples() * sample_size : header.samples() * 2 - 1;
  if (least > file_bytes - reader.position()) {
    return invalid_content(name, too_few_bytes_reason(header.width, header.height));
  }
  return header;
}

ImageInfo info_of(const Header& header) {
  return picture_info(header.width, header.height, header.channels,
                      header.wide() ? SampleType::kU16 : SampleType::kU8);
}

Error too_large_sample(const std::string& name, const Header& header) {
  return invalid_content(name, "a sample is larger than the maximum value of its header, " +
                                   std::to_string(header.max_value));
}

void store(uint8_t* row, size_t index, uint32_t value, const Header& header) {
  if (header.wide()) {
    reinterpret_cast<uint16_t*>(row)[index] =
        static_cast<uint16_t>(scale(value, header.max_value, kMaxValue));
  } else {
    row[index] = static_cast<uint8_t>(scale(value, header.max_value, 255));
  }
}

// A row of binary samples.
Status unpack_row(const uint8_t* source, const Header& header, const std::string& name,
                  uint8_t* row) {
  for (size_t i = 0; i < header.row_samples(); ++i) {
    const uint32_t value =
        header.wide() ? static_cast<uint32_t>(source[2 * i] << 8 | source[2 * i + 1]) : source[i];
    if (value > header.max_value) {
      return too_large_sample(name, header);
    }
    store(row, i, value, header);
  }
  return {};
}

StoredRows binary_rows(const Header& header, size_t offset, const std::string& name) {
  StoredRows rows;
  rows.info = info_of(header);
  rows.offset = offset;
  rows.row_bytes = header.row_samples() * (header.wide() ? 2 : 1);
  if (header.max_value != 255) {
    rows.unpack = [header, name](const uint8_t* stored, uint8_t* row) {
      return unpack_row(stored, header, name, row);
    };
  }
  return rows;
}

Status read_binary(ByteSpan bytes, const StoredRows& stored, const std::string& name,
                   const ReadBudget& budget, Image& image) {
  const MemorySource source(bytes, name);
  MutableImageView row = image.mutable_view();
  row.info.height = 1;
  Bytes scratch;
  for (uint32_t y = 0; y < image.height(); ++y) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    row.data = image.row<uint8_t>(y);
    TESSERA_RETURN_IF_ERROR(read_stored_rows(source, stored, y, row, scratch));
  }
  return {};
}

Status read_decimal(NumberReader& reader, const Header& header, const std::string& name,
                    const ReadBudget& budget, Image& image) {
  for (uint32_t y = 0; y < header.height; ++y) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    for (size_t i = 0; i < header.row_samples(); ++i) {
      const auto value = reader.next();
      if (!value) {
        return invalid_content(name, reader.at_end() ? "the samples end too early"
                                                     : "a sample is not a decimal number");
      }
      if (*value > header.max_value) {
        return too_large_sample(name, header);
      }
      store(image.row<uint8_t>(y), i, *value, header);
    }
  }
  return {};
}

template <typename T>
bool is_opaque(const ImageView& image) {
  const uint32_t channels = image.info.channels;
  for (uint32_t y = 0; y < image.info.height; ++y) {
    const T* const row = image.row<T>(y);
    for (size_t x = 0; x < image.info.width; ++x) {
      if (row[x * channels + channels - 1] != static_cast<T>(~T{0})) {
        return false;
      }
    }
  }
  return true;
}

template <typename T>
void append_samples(const ImageView& image, uint32_t channels, Bytes& bytes) {
  for (uint32_t y = 0; y < image.info.height; ++y) {
    const T* const row = image.row<T>(y);
    for (size_t x = 0; x < image.info.width; ++x) {
      for (uint32_t c = 0; c < channels; ++c) {
        const T value = row[x * image.info.channels + c];
        if constexpr (sizeof(T) == 2) {
          bytes.push_back(static_cast<uint8_t>(value >> 8));  // big-endian
        }
        bytes.push_back(static_cast<uint8_t>(value & 0xff));
      }
    }
  }
}

// The digit after the P, of those that can be read.
Result<uint8_t> read_kind(ByteSpan bytes, const std::string& name) {
  if (!looks_like_pnm(bytes)) {
    return invalid_content(name, "it does not start like a PPM or PGM file");
  }
  const uint8_t kind = bytes[1];
  if (kind == '1' || kind == '4') {
    return unsupported_content(name, "PBM files cannot be read; convert it to PGM first");
  }
  if (kind == '7') {
    return unsupported_content(name, "PAM files cannot be read; convert it to PNG first");
  }
  return kind;
}

}  // namespace

bool looks_like_pnm(ByteSpan bytes) {
  return bytes.size() >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7' &&
         (is_space(bytes[2]) || bytes[2] == '#');
}

Result<ImageInfo> read_pnm_info(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const uint8_t kind, read_kind(head, name));
  NumberReader reader(head, 2);
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_header(reader, kind, file_bytes, name));
  return info_of(header);
}

Result<StoredRows> find_pnm_rows(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const uint8_t kind, read_kind(head, name));
  NumberReader reader(head, 2);
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_header(reader, kind, file_bytes, name));
  if (!header.binary) {
    return unsupported_content(name, "rows of decimal numbers cannot be read one by one");
  }
  return binary_rows(header, reader.position(), name);
}

Result<Image> decode_pnm(ByteSpan bytes, const std::string& name, const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(const uint8_t kind, read_kind(bytes, name));
  NumberReader reader(bytes, 2);
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_header(reader, kind, bytes.size(), name));
  TESSERA_ASSIGN_OR_RETURN(
      Image image, create_decoded_image(name, info_of(header), {.file = bytes.size()}, budget));
  if (header.binary) {
    TESSERA_RETURN_IF_ERROR(
        read_binary(bytes, binary_rows(header, reader.position(), name), name, budget, image));
  } else {
    TESSERA_RETURN_IF_ERROR(read_decimal(reader, header, name, budget, image));
  }
  return image;
}

Result<Bytes> encode_pnm(const ImageView& image) {
  const bool wide = image.info.sample == SampleType::kU16;
  if (image.info.has_alpha() && !(wide ? is_opaque<uint16_t>(image) : is_opaque<uint8_t>(image))) {
    return unsupported_error(
        "cannot write a PPM or PGM file: the image has transparent pixels; write a PNG file");
  }
  const bool color = image.info.channels >= 3;
  const std::string header = std::string(color ? "P6\n" : "P5\n") +
                             std::to_string(image.info.width) + " " +
                             std::to_string(image.info.height) + (wide ? "\n65535\n" : "\n255\n");
  const uint32_t channels = color ? 3 : 1;
  Bytes bytes(header.begin(), header.end());
  bytes.reserve(header.size() + image.info.pixel_count() * channels * (wide ? 2 : 1));
  if (wide) {
    append_samples<uint16_t>(image, channels, bytes);
  } else {
    append_samples<uint8_t>(image, channels, bytes);
  }
  return bytes;
}

}  // namespace tessera
