// Reads and writes Radiance HDR files.
#include "files/pictures/radiance_hdr.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "base/half.h"
#include "files/pictures/decode_error.h"

namespace tessera {
namespace {

// Red, green, blue, exponent. A sample is mantissa · 2^(exponent - 136); exponent 0 is black.
using Rgbe = std::array<uint8_t, 4>;

constexpr int kExponentBias = 136;
constexpr float kLargestSample = 0x1.FEp126f;  // 255 · 2^(255 - 136)

// Widths that rows with separate channels can have.
constexpr uint32_t kMinPlanarWidth = 8;
constexpr uint32_t kMaxPlanarWidth = 32767;

// Bytes of samples for a byte of the file. A row in the newer encoding has at most 190; one colour
// across a row of 20,000 pixels in the older one reaches this.
constexpr uint64_t kMaxInflation = 16384;

constexpr std::string_view kSignatures[] = {"#?RADIANCE", "#?RGBE"};

struct Header {
  uint32_t width = 0;
  uint32_t height = 0;
  size_t pixel_offset = 0;
};

// Takes the line at `position`, without its end; nothing when the file ends before the line does.
std::optional<std::string_view> take_line(std::string_view text, size_t& position) {
  const size_t end = text.find('\n', position);
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view line = text.substr(position, end - position);
  position = end + 1;
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

// "-Y 480 +X 640" and its seven relatives.
struct Resolution {
  std::string_view first_axis;
  uint64_t first = 0;
  std::string_view second_axis;
  uint64_t second = 0;
};

bool take_axis(std::string_view& line, std::string_view& axis, uint64_t& extent) {
  if (line.size() < 4 || (line[0] != '-' && line[0] != '+') || (line[1] != 'X' && line[1] != 'Y') ||
      line[2] != ' ') {
    return false;
  }
  axis = line.substr(0, 2);
  const auto [end, error] = std::from_chars(line.data() + 3, line.data() + line.size(), extent);
  line.remove_prefix(static_cast<size_t>(end - line.data()));
  return error == std::errc();
}

std::optional<Resolution> parse_resolution(std::string_view line) {
  Resolution resolution;
  if (!take_axis(line, resolution.first_axis, resolution.first) || !line.starts_with(' ')) {
    return std::nullopt;
  }
  line.remove_prefix(1);
  if (!take_axis(line, resolution.second_axis, resolution.second) || !line.empty() ||
      resolution.first_axis[1] == resolution.second_axis[1]) {
    return std::nullopt;
  }
  return resolution;
}

Status check_format(std::string_view format, const std::string& name) {
  if (format == "32-bit_rle_rgbe") {
    return {};
  }
  if (format == "32-bit_rle_xyze") {
    return unsupported_content(name, "Radiance pictures with XYZ colours cannot be read");
  }
  return invalid_content(name, "its header names an unknown FORMAT");
}

Result<Header> read_header(std::string_view text, const std::string& name) {
  constexpr std::string_view kFormat = "FORMAT=";
  const Error ends_early = invalid_content(name, "its Radiance header is not complete");
  size_t position = 0;
  auto line = take_line(text, position);
  while (line && !line->empty()) {
    if (line->starts_with(kFormat)) {
      TESSERA_RETURN_IF_ERROR(check_format(line->substr(kFormat.size()), name));
    }
    line = take_line(text, position);
  }
  const auto resolution_line = take_line(text, position);
  if (!line || !resolution_line) {
    return ends_early;
  }
  const auto resolution = parse_resolution(*resolution_line);
  if (!resolution) {
    return invalid_content(name, "its header does not say a size such as '-Y 480 +X 640'");
  }
  if (resolution->first_axis != "-Y" || resolution->second_axis != "+X") {
    return unsupported_content(
        name, "only Radiance pictures stored from the top left (-Y +X) can be read");
  }
  TESSERA_RETURN_IF_ERROR(check_file_extent(name, resolution->second, resolution->first));
  return Header{static_cast<uint32_t>(resolution->second), static_cast<uint32_t>(resolution->first),
                position};
}

// With a size that the file is long enough for.
Result<Header> read_checked_header(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  if (!looks_like_radiance_hdr(head)) {
    return invalid_content(name, "it does not start like a Radiance picture");
  }
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_header(text, name));
  const uint64_t data_bytes = file_bytes - header.pixel_offset;
  const uint64_t sample_bytes_claimed = uint64_t{header.width} * header.height * 3 * sizeof(float);
  if (sample_bytes_claimed / kMaxInflation > data_bytes || header.height > data_bytes / 4) {
    return invalid_content(name, too_few_bytes_reason(header.width, header.height));
  }
  return header;
}

ImageInfo info_of(const Header& header) {
  ImageInfo info = picture_info(header.width, header.height, 3, SampleType::kF32);
  info.color_space = ColorSpace::kLinear;
  return info;
}

// The newer encoding: each channel of a row by itself, as runs and copies.
bool read_planar_row(ByteSpan& data, std::vector<Rgbe>& row) {
  for (size_t channel = 0; channel < 4; ++channel) {
    size_t x = 0;
    while (x < row.size()) {
      if (data.size() < 2) {
        return false;
      }
      const bool run = data[0] > 128;
      const size_t count = run ? data[0] - 128u : data[0];
      const size_t stored = run ? 1 : count;
      if (count == 0 || count > row.size() - x || stored > data.size() - 1) {
        return false;
      }
      for (size_t i = 0; i < count; ++i) {
        row[x++][channel] = data[run ? 1 : 1 + i];
      }
      data = data.subspan(1 + stored);
    }
  }
  return true;
}

// The older encoding: whole pixels, where mantissas 1, 1, 1 mean "the last pixel again", as often
// as the exponent says; further ones in a row are the next 8 bits of that number.
bool read_interleaved_row(ByteSpan& data, std::vector<Rgbe>& row) {
  size_t x = 0;
  unsigned shift = 0;
  while (x < row.size()) {
    if (data.size() < 4) {
      return false;
    }
    const Rgbe pixel = {data[0], data[1], data[2], data[3]};
    data = data.subspan(4);
    if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1) {
      row[x++] = pixel;
      shift = 0;
      continue;
    }
    if (x == 0 || shift > 24) {
      return false;
    }
    const uint64_t count = uint64_t{pixel[3]} << shift;
    if (count > row.size() - x) {
      return false;
    }
    std::fill_n(row.begin() + static_cast<ptrdiff_t>(x), count, row[x - 1]);
    x += count;
    shift += 8;
  }
  return true;
}

bool read_row(ByteSpan& data, std::vector<Rgbe>& row) {
  const size_t width = row.size();
  const bool planar = width >= kMinPlanarWidth && width <= kMaxPlanarWidth && data.size() >= 4 &&
                      data[0] == 2 && data[1] == 2 && data[2] < 128;
  if (!planar) {
    return read_interleaved_row(data, row);
  }
  if (size_t{data[2]} * 256 + data[3] != width) {
    return false;
  }
  data = data.subspan(4);
  return read_planar_row(data, row);
}

// 2^(exponent - 136), and 0 for exponent 0. Powers of two: exact.
std::array<float, 256> make_scales() {
  std::array<float, 256> scales = {};
  for (int exponent = 1; exponent < 256; ++exponent) {
    scales[static_cast<size_t>(exponent)] = std::ldexp(1.0f, exponent - kExponentBias);
  }
  return scales;
}

void store_row(const std::vector<Rgbe>& row, float* samples) {
  static const std::array<float, 256> scales = make_scales();
  for (const Rgbe& pixel : row) {
    for (size_t c = 0; c < 3; ++c) {
      *samples++ = static_cast<float>(pixel[c]) * scales[pixel[3]];
    }
  }
}

float clamped(float sample) {
  return sample > 0 ? std::min(sample, kLargestSample) : 0.0f;  // NaN is not above 0
}

// Rounds to the nearest. Scaling by powers of two and adding a half are exact in double precision.
Rgbe encode_pixel(const std::array<float, 3>& samples) {
  const float largest = *std::max_element(samples.begin(), samples.end());
  int exponent = 0;
  std::frexp(largest, &exponent);
  exponent = std::max(exponent + kExponentBias - 8, 1);
  const auto mantissa = [&](float sample) {
    return std::floor(std::ldexp(static_cast<double>(sample), kExponentBias - exponent) + 0.5);
  };
  if (mantissa(largest) > 255) {
    ++exponent;
  }
  if (mantissa(largest) == 0) {
    return {};
  }
  return {static_cast<uint8_t>(mantissa(samples[0])), static_cast<uint8_t>(mantissa(samples[1])),
          static_cast<uint8_t>(mantissa(samples[2])), static_cast<uint8_t>(exponent)};
}

float sample_at(const ImageView& image, uint32_t y, size_t index) {
  return image.info.sample == SampleType::kF16 ? half_to_float(image.row<uint16_t>(y)[index])
                                               : image.row<float>(y)[index];
}

void encode_row(const ImageView& image, uint32_t y, std::vector<Rgbe>& row) {
  const uint32_t channels = image.info.channels;
  for (size_t x = 0; x < row.size(); ++x) {
    std::array<float, 3> samples = {};
    for (size_t c = 0; c < 3; ++c) {
      samples[c] = clamped(sample_at(image, y, x * channels + (channels >= 3 ? c : 0)));
    }
    row[x] = encode_pixel(samples);
  }
}

bool is_opaque(const ImageView& image) {
  const uint32_t channels = image.info.channels;
  for (uint32_t y = 0; y < image.info.height; ++y) {
    for (size_t x = 0; x < image.info.width; ++x) {
      if (sample_at(image, y, x * channels + channels - 1) != 1.0f) {
        return false;
      }
    }
  }
  return true;
}

size_t run_length(const std::vector<Rgbe>& row, size_t channel, size_t x) {
  size_t end = x + 1;
  while (end < row.size() && end - x < 127 && row[end][channel] == row[x][channel]) {
    ++end;
  }
  return end - x;
}

void write_planar_row(const std::vector<Rgbe>& row, Bytes& bytes) {
  constexpr size_t kShortestRun = 4;  // shorter ones cost as much as a copy
  bytes.insert(bytes.end(), {2, 2, static_cast<uint8_t>(row.size() >> 8),
                             static_cast<uint8_t>(row.size() & 0xff)});
  for (size_t channel = 0; channel < 4; ++channel) {
    size_t x = 0;
    while (x < row.size()) {
      const size_t run = run_length(row, channel, x);
      if (run >= kShortestRun) {
        bytes.push_back(static_cast<uint8_t>(128 + run));
        bytes.push_back(row[x][channel]);
        x += run;
        continue;
      }
      size_t end = x + run;
      while (end < row.size() && end - x < 128 && run_length(row, channel, end) < kShortestRun) {
        ++end;
      }
      bytes.push_back(static_cast<uint8_t>(end - x));
      for (; x < end; ++x) {
        bytes.push_back(row[x][channel]);
      }
    }
  }
}

// Only for widths that the newer encoding cannot have.
void write_interleaved_row(const std::vector<Rgbe>& row, Bytes& bytes) {
  for (const Rgbe& pixel : row) {
    // Mantissas 1, 1, 1 would mean a run. They only stand for 2^-135, which becomes black.
    const bool like_a_run = pixel[0] == 1 && pixel[1] == 1 && pixel[2] == 1;
    const Rgbe stored = like_a_run ? Rgbe{} : pixel;
    bytes.insert(bytes.end(), stored.begin(), stored.end());
  }
}

}  // namespace

bool looks_like_radiance_hdr(ByteSpan bytes) {
  return std::any_of(std::begin(kSignatures), std::end(kSignatures),
                     [&](std::string_view signature) {
                       return bytes.size() >= signature.size() &&
                              std::equal(signature.begin(), signature.end(), bytes.begin());
                     });
}

Result<ImageInfo> read_radiance_hdr_info(ByteSpan head, uint64_t file_bytes,
                                         const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_checked_header(head, file_bytes, name));
  return info_of(header);
}

Result<Image> decode_radiance_hdr(ByteSpan bytes, const std::string& name,
                                  const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_checked_header(bytes, bytes.size(), name));
  ByteSpan data = bytes.subspan(header.pixel_offset);
  const MemoryNeed beside = {.file = bytes.size(), .scratch = header.width * sizeof(Rgbe)};
  TESSERA_ASSIGN_OR_RETURN(Image image,
                           create_decoded_image(name, info_of(header), beside, budget));
  std::vector<Rgbe> row(header.width);
  for (uint32_t y = 0; y < header.height; ++y) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    if (!read_row(data, row)) {
      return invalid_content(
          name, "its row " + std::to_string(y) + " is damaged, or the file ends within it");
    }
    store_row(row, image.row<float>(y));
  }
  return image;
}

Result<Bytes> encode_radiance_hdr(const ImageView& image) {
  if (image.info.has_alpha() && !is_opaque(image)) {
    return unsupported_error(
        "cannot write a Radiance HDR file: the image has transparent pixels; write an OpenEXR "
        "file");
  }
  const std::string header = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " +
                             std::to_string(image.info.height) + " +X " +
                             std::to_string(image.info.width) + "\n";
  Bytes bytes(header.begin(), header.end());
  const bool planar = image.info.width >= kMinPlanarWidth && image.info.width <= kMaxPlanarWidth;
  std::vector<Rgbe> row(image.info.width);
  for (uint32_t y = 0; y < image.info.height; ++y) {
    encode_row(image, y, row);
    if (planar) {
      write_planar_row(row, bytes);
    } else {
      write_interleaved_row(row, bytes);
    }
  }
  return bytes;
}

}  // namespace tessera
