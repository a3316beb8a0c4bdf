// Reading, checking and writing .tsf files.
#include "containers/tsf_file.h"

#include <array>
#include <bit>
#include <cstring>

namespace tessera::fractal {
namespace {

constexpr std::array<uint8_t, 4> kMagic = {'T', 'S', 'F', '1'};
constexpr uint8_t kVersion = 1;
constexpr size_t kHeaderBytes = 20;

Status check_header(const TsfHeader& header, const std::string& name) {
  if (header.width == 0 || header.height == 0 || header.width > 65535 || header.height > 65535 ||
      uint64_t{header.width} * header.height > kMaxPixels) {
    return invalid_error(name + ": a size of " + std::to_string(header.width) + "x" +
                         std::to_string(header.height) + " pixels is not possible in .tsf files");
  }
  if (header.channels != 1 && header.channels != 3) {
    return invalid_error(name + ": " + std::to_string(header.channels) +
                         " channels where 1 or 3 were expected");
  }
  if (header.iterations < 1 || header.iterations > 64) {
    return invalid_error(name + ": " + std::to_string(header.iterations) +
                         " passes where 1 to 64 were expected");
  }
  if (header.deblocking > 15) {
    return invalid_error(name + ": deblocking strength " + std::to_string(header.deblocking) +
                         " where 0 to 15 was expected");
  }
  if (header.coder == CoderKind::kPaper) {
    const bool square = header.width == header.height && std::has_single_bit(header.width) &&
                        header.width >= 8 && header.width <= kMaxPaperSide;
    if (!square || header.channels != 1) {
      return invalid_error(name +
                           ": the paper's coder has grey squares with a power of two as side");
    }
    if (header.quality < 1 || header.quality > 14 || (header.width >> header.quality) < 4) {
      return invalid_error(name + ": a quadtree of depth " + std::to_string(header.quality) +
                           " does not fit the image");
    }
  }
  return {};
}

}  // namespace

bool looks_like_tsf(ByteSpan bytes) {
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), 4) == 0;
}

Result<TsfHeader> read_tsf_header(ByteSpan head, const std::string& name) {
  if (!looks_like_tsf(head) || head.size() < kHeaderBytes) {
    return invalid_error(name + " is too short or does not begin like a .tsf file");
  }
  ByteReader reader(head);
  reader.skip(kMagic.size());
  const auto version = reader.read<uint8_t>();
  if (version != kVersion) {
    return Error{ErrorCode::kUnsupported, name + ": version " + std::to_string(version) +
                                              " of .tsf, where this program knows version 1"};
  }
  const auto coder = reader.read<uint8_t>();
  TsfHeader header;
  header.coder = static_cast<CoderKind>(coder);
  header.channels = reader.read<uint8_t>();
  header.iterations = reader.read<uint8_t>();
  header.width = reader.read<uint32_t>();
  header.height = reader.read<uint32_t>();
  header.quality = reader.read<uint8_t>();
  header.deblocking = reader.read<uint8_t>();
  const auto hybrid = reader.read<uint8_t>();
  const auto zero = reader.read<uint8_t>();
  header.hybrid = hybrid == 1;
  if (coder > 1 || hybrid > 1 || zero != 0) {
    return invalid_error(name + ": coder " + std::to_string(coder) + ", hybrid " +
                         std::to_string(hybrid) + ", spare " + std::to_string(zero) +
                         " where 0 or 1, 0 or 1, and 0 were expected");
  }
  TESSERA_RETURN_IF_ERROR(check_header(header, name));
  return header;
}

Result<TsfFile> read_tsf(ByteSpan bytes, const std::string& name) {
  TsfFile file;
  TESSERA_ASSIGN_OR_RETURN(file.header, read_tsf_header(bytes, name));
  const TsfHeader& header = file.header;
  ByteReader reader(bytes);
  reader.skip(kHeaderBytes);
  const size_t count = size_t{header.tiles_across()} * header.tiles_down();
  for (size_t i = 0; i < count; ++i) {
    const auto length = reader.read<uint32_t>();
    if (!reader.ok() || length > reader.remaining()) {
      return invalid_error(name + " ends within tile " + std::to_string(i) + " of " +
                           std::to_string(count));
    }
    file.tiles.push_back(bytes.subspan(reader.position(), length));
    reader.skip(length);
  }
  if (reader.remaining() != 0) {
    return invalid_error(name + " has " + std::to_string(reader.remaining()) +
                         " bytes after its last tile");
  }
  return file;
}

Bytes write_tsf(const TsfHeader& header, const std::vector<Bytes>& tiles) {
  Bytes bytes;
  ByteWriter writer(bytes);
  writer.write_bytes(kMagic);
  writer.write(kVersion);
  writer.write(static_cast<uint8_t>(header.coder));
  writer.write(static_cast<uint8_t>(header.channels));
  writer.write(static_cast<uint8_t>(header.iterations));
  writer.write(header.width);
  writer.write(header.height);
  writer.write(static_cast<uint8_t>(header.quality));
  writer.write(static_cast<uint8_t>(header.deblocking));
  writer.write(static_cast<uint8_t>(header.hybrid ? 1 : 0));
  writer.write(uint8_t{0});
  for (const Bytes& tile : tiles) {
    writer.write(static_cast<uint32_t>(tile.size()));
    writer.write_bytes(tile);
  }
  return bytes;
}

}  // namespace tessera::fractal

namespace tessera {

Result<TextureIndex> read_tsf_index(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const fractal::TsfHeader header, fractal::read_tsf_header(head, name));
  const FormatRow& row = *only_format_of(ContainerType::kTsf);
  TextureIndex index;
  index.info.format = row.format;
  index.info.block = row.default_block;
  index.info.width = header.width;
  index.info.height = header.height;
  index.levels.push_back({0, file_bytes, file_bytes});
  return index;
}

Result<LargeBytes> write_tsf_texture(const Texture& texture) {
  if (!format_row(texture.info.format).is_held_by(ContainerType::kTsf)) {
    return unsupported_error(".tsf files hold fractal images, not " +
                             std::string(texture_format_name(texture.info.format)));
  }
  if (texture.levels.size() != 1 || texture.info.depth != 1 || texture.info.layers != 1) {
    return unsupported_error(".tsf files hold one mip level of one 2D image");
  }
  return LargeBytes(texture.levels[0]);
}

}  // namespace tessera
