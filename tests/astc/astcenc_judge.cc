// Runs the astcenc command on a texture and reads its pixels.
#include "astcenc_judge.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "files/file.h"

namespace tessera::astc {
namespace {

constexpr uint32_t kGlUnsignedByte = 0x1401;
constexpr uint32_t kGlHalfFloat = 0x140B;
constexpr uint32_t kGlRed = 0x1903;
constexpr uint32_t kGlRgb = 0x1907;
constexpr uint32_t kGlRgba = 0x1908;
constexpr uint32_t kGlLuminance = 0x1909;
constexpr uint32_t kGlLuminanceAlpha = 0x190A;
constexpr uint32_t kGlRgba8 = 0x8058;
constexpr uint32_t kGlRg = 0x8227;
constexpr uint32_t kGlRgba16f = 0x881A;
constexpr size_t kKtxIdentifierBytes = 12;

unsigned channel_count(uint32_t gl_format) {
  switch (gl_format) {
    case kGlRed:
    case kGlLuminance:
      return 1;
    case kGlRg:
    case kGlLuminanceAlpha:
      return 2;
    case kGlRgb:
      return 3;
    case kGlRgba:
      return 4;
    default:
      return 0;
  }
}

// Grey to RGBA, missing alpha to one.
void append_pixel(const uint16_t* in, unsigned channels, uint16_t one, std::vector<uint16_t>& out) {
  const bool grey = channels < 3;
  out.push_back(in[0]);
  out.push_back(grey ? in[0] : in[1]);
  out.push_back(grey ? in[0] : in[2]);
  out.push_back(channels == 2 ? in[1] : channels == 4 ? in[3] : one);
}

Result<JudgedImage> read_ktx(ByteSpan bytes) {
  ByteReader reader(bytes);
  reader.skip(kKtxIdentifierBytes + 4);  // and the endianness: our own
  const auto type = reader.read<uint32_t>();
  reader.skip(4);
  const unsigned channels = channel_count(reader.read<uint32_t>());
  reader.skip(8);  // internal formats
  JudgedImage image;
  image.width = reader.read<uint32_t>();
  image.height = reader.read<uint32_t>();
  image.depth = std::max(reader.read<uint32_t>(), 1u);
  reader.skip(12);  // array elements, faces, levels
  reader.skip(reader.read<uint32_t>());
  reader.skip(4);  // bytes of the level
  if (!reader.ok() || channels == 0 || (type != kGlUnsignedByte && type != kGlHalfFloat)) {
    return invalid_error("the KTX file is none that astcenc writes");
  }
  image.is_half = type == kGlHalfFloat;
  const size_t sample = image.is_half ? 2 : 1;
  const size_t padding = (4 - image.width * channels * sample % 4) % 4;
  image.rgba.reserve(size_t{image.width} * image.height * image.depth * 4);
  for (size_t row = 0; row < size_t{image.height} * image.depth; ++row) {
    for (uint32_t x = 0; x < image.width; ++x) {
      uint16_t pixel[4] = {};
      for (unsigned c = 0; c < channels; ++c) {
        pixel[c] = image.is_half ? reader.read<uint16_t>() : reader.read<uint8_t>();
      }
      append_pixel(pixel, channels, image.is_half ? 0x3C00 : 0xFF, image.rgba);
    }
    reader.skip(padding);
  }
  if (!reader.ok()) {
    return invalid_error("the KTX file is too short");
  }
  return image;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tessera_astc_XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::optional<std::string> astcenc_version() {
  FILE* pipe = popen("astcenc -version 2>/dev/null", "r");
  if (pipe == nullptr) {
    return std::nullopt;
  }
  char line[256] = {};
  const bool any = fgets(line, sizeof line, pipe) != nullptr;
  pclose(pipe);
  const std::string text = line;
  const size_t at = text.find("astcenc v");
  if (!any || at == std::string::npos) {
    return std::nullopt;
  }
  return text.substr(at + 9, text.find(',', at) - at - 9);
}

bool run_astcenc(const std::string& arguments) {
  return std::system(("astcenc " + arguments + " -silent >/dev/null 2>&1").c_str()) == 0;
}

Bytes make_astc_file(BlockSize size, uint32_t width, uint32_t height, uint32_t depth,
                     ByteSpan blocks) {
  Bytes bytes;
  ByteWriter writer(bytes);
  writer.write<uint32_t>(0x5CA1AB13);
  writer.write(static_cast<uint8_t>(size.width));
  writer.write(static_cast<uint8_t>(size.height));
  writer.write(static_cast<uint8_t>(size.depth));
  writer.write_u24(width);
  writer.write_u24(height);
  writer.write_u24(depth);
  writer.write_bytes(blocks);
  return bytes;
}

Bytes make_ktx_file(uint32_t width, uint32_t height, uint32_t depth, bool is_half,
                    ByteSpan pixels) {
  constexpr std::array<uint8_t, kKtxIdentifierBytes> kIdentifier = {
      0xAB, 'K', 'T', 'X', ' ', '1', '1', 0xBB, '\r', '\n', 0x1A, '\n'};
  Bytes bytes(kIdentifier.begin(), kIdentifier.end());
  ByteWriter writer(bytes);
  const uint32_t fields[] = {0x04030201,
                             is_half ? kGlHalfFloat : kGlUnsignedByte,
                             is_half ? 2u : 1u,
                             kGlRgba,
                             is_half ? kGlRgba16f : kGlRgba8,
                             kGlRgba,
                             width,
                             height,
                             depth > 1 ? depth : 0,
                             0,  // array elements
                             1,  // faces
                             1,  // levels
                             0,  // bytes of key-value data
                             static_cast<uint32_t>(pixels.size())};
  for (const uint32_t field : fields) {
    writer.write(field);
  }
  writer.write_bytes(pixels);
  return bytes;
}

Result<JudgedImage> judge_decode(const std::string& astc_path, const std::string& mode,
                                 const TemporaryFolder& folder) {
  const std::string ktx = folder.file("judged.ktx");
  if (!run_astcenc(mode + " " + astc_path + " " + ktx)) {
    return failed_error("astcenc " + mode + " failed");
  }
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(ktx));
  return read_ktx(bytes);
}

}  // namespace tessera::astc
