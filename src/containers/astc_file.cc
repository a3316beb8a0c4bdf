// Reading and writing .astc files.
#include "containers/astc_file.h"

#include <algorithm>

#include "containers/stored_level.h"

namespace tessera {
namespace {

constexpr uint32_t kMagic = 0x5CA1AB13;
constexpr size_t kHeaderBytes = 16;
constexpr uint32_t kMaxSide = (1u << 24) - 1;  // texels: 24-bit fields

// The only format that these files hold.
const FormatRow& held_format() {
  return *only_format_of(ContainerType::kAstc);
}

}  // namespace

bool is_astc_file(ByteSpan bytes) {
  return ByteReader(bytes).read<uint32_t>() == kMagic;
}

Result<TextureIndex> read_astc_index(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  const auto invalid = [&](const std::string& what) {
    return invalid_error(name + " is not a valid .astc file: " + what);
  };
  ByteReader reader(head);
  const uint32_t magic = reader.read<uint32_t>();
  TextureIndex index;
  TextureInfo& info = index.info;
  info.format = held_format().format;
  info.block.width = reader.read<uint8_t>();
  info.block.height = reader.read<uint8_t>();
  info.block.depth = reader.read<uint8_t>();
  info.width = reader.read_u24();
  info.height = reader.read_u24();
  info.depth = reader.read_u24();
  if (magic != kMagic) {
    return invalid("it does not start with the magic number");
  }
  if (!reader.ok()) {
    return invalid("it ends within its header of 16 bytes");
  }
  if (!held_format().has_block(info.block)) {
    return invalid(block_size_name(info.block) + " is not an ASTC block size");
  }
  if (info.width == 0 || info.height == 0 || info.depth == 0) {
    return invalid("one of its sides is zero");
  }
  const auto expected = level_bytes(info, 0);
  const uint64_t held = file_bytes - kHeaderBytes;
  if (!expected || *expected != held) {
    return invalid("its header asks for " +
                   (expected ? std::to_string(*expected) : std::string("more than 2^64")) +
                   " bytes of blocks, but it has " + std::to_string(held));
  }
  index.levels.push_back({kHeaderBytes, held, held});
  return index;
}

Result<Texture> read_astc_file(ByteSpan bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const TextureIndex index, read_astc_index(bytes, bytes.size(), name));
  return read_all_levels(bytes, index, name, {});
}

Result<LargeBytes> write_astc_file(const Texture& texture) {
  const TextureInfo& info = texture.info;
  if (info.format != held_format().format) {
    return unsupported_error(".astc files hold ASTC blocks, not " +
                             std::string(texture_format_name(info.format)));
  }
  if (texture.levels.size() != 1 || info.layers != 1) {
    return unsupported_error(
        ".astc files hold one mip level and one layer: no arrays and no cube maps");
  }
  if (std::max({info.width, info.height, info.depth}) > kMaxSide) {
    return unsupported_error(".astc files end at 2^24 - 1 texels per side");
  }
  LargeBytes bytes;
  bytes.reserve(kHeaderBytes + texture.levels[0].size());
  ByteWriter writer(bytes);
  writer.write(kMagic);
  writer.write(static_cast<uint8_t>(info.block.width));
  writer.write(static_cast<uint8_t>(info.block.height));
  writer.write(static_cast<uint8_t>(info.block.depth));
  writer.write_u24(info.width);
  writer.write_u24(info.height);
  writer.write_u24(info.depth);
  writer.write_bytes(texture.levels[0]);
  return bytes;
}

}  // namespace tessera
