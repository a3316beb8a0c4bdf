// Reading and writing .ktx files. Field names as in the KTX File Format Specification, version 1.
#include "containers/ktx_file.h"

#include <algorithm>

#include "base/mip_levels.h"
#include "containers/ktx2_keys.h"
#include "containers/ktx_header.h"

namespace tessera {
namespace {

using ktx::Header;
using ktx::kByteOrder;
using ktx::kHeaderBytes;
using ktx::kIdentifier;
using ktx::kSizeBytes;

constexpr uint32_t kRgba = 0x1908;  // GL_RGBA: what each of the formats can have

Result<Header> read_header(ByteSpan head, const std::string& name) {
  if (head.size() < kHeaderBytes) {
    return ktx::invalid(name, "it ends within its header of 64 bytes");
  }
  ByteReader reader(head.subspan(kIdentifier.size()));
  const Header header = ktx::read_header(reader);
  if (header.byte_order != kByteOrder && !header.is_swapped()) {
    return ktx::invalid(name, "its byte order is none");
  }
  return header;
}

Status check_header(const Header& header, const std::string& name) {
  if (header.gl_type != 0 || header.gl_format != 0) {
    return unsupported_error(name + " holds pixels; only compressed .ktx files are read");
  }
  if (header.width == 0 || header.height == 0) {
    return ktx::invalid(name, "one of its sides is zero");
  }
  if (header.faces == kCubeFaces && (header.width != header.height || header.depth > 1)) {
    return ktx::invalid(name, "the faces of its cube map are not square");
  }
  const bool has_faces = header.faces == 1 || header.faces == kCubeFaces;
  if (!has_faces || header.elements > UINT32_MAX / kCubeFaces || header.levels == 0 ||
      header.levels > mip_level_count(header.width, header.height, header.depth)) {
    return ktx::invalid(name, "it claims " + std::to_string(header.faces) + " faces, " +
                                  std::to_string(header.elements) + " layers and " +
                                  std::to_string(header.levels) + " mip levels");
  }
  return {};
}

// What the number before a level says, where it is in the part of the file that was read.
Status check_size_field(ByteSpan head, uint64_t place, uint64_t expected, bool is_swapped,
                        const std::string& name) {
  if (place + kSizeBytes > head.size()) {
    return {};
  }
  const auto stored = ByteReader(head.subspan(static_cast<size_t>(place))).read<uint32_t>();
  const uint32_t size = is_swapped ? ktx::swapped_bytes(stored) : stored;
  return size == expected ? Status()
                          : ktx::invalid(name, "a level claims " + std::to_string(size) +
                                                   " bytes and has " + std::to_string(expected));
}

// `head` is the part of the file that was read.
Result<ByteSpan> key_bytes(ByteSpan head, const Header& header, const std::string& name) {
  TESSERA_RETURN_IF_ERROR(check_key_limits(0, header.key_value_bytes, name));
  if (header.key_value_bytes > head.size() - kHeaderBytes) {
    return ktx::invalid(name, "it ends within its key/value data");
  }
  return head.subspan(kHeaderBytes, header.key_value_bytes);
}

}  // namespace

TextureInfo ktx_info(const Header& header, const NumberedFormat& format) {
  TextureInfo info;
  set_format(format, info);
  info.width = header.width;
  info.height = header.height;
  info.depth = std::max(1u, header.depth);
  info.faces = header.faces;
  info.layers = std::max(1u, header.elements) * header.faces;
  return info;
}

uint64_t ktx_size_field(const TextureInfo& info, uint64_t bytes) {
  return info.layers == kCubeFaces && info.faces == kCubeFaces ? bytes / kCubeFaces : bytes;
}

bool is_ktx_file(ByteSpan bytes) {
  return bytes.size() >= kIdentifier.size() &&
         std::equal(kIdentifier.begin(), kIdentifier.end(), bytes.begin());
}

Result<TextureIndex> read_ktx_index(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const Header header, read_header(head, name));
  const auto format = find_gl_format(header.internal_format);
  if (!format || !format->row->is_held_by(ContainerType::kKtx)) {
    return unsupported_error(name + " holds OpenGL format " +
                             std::to_string(header.internal_format) + "; only " +
                             titles_held_by(ContainerType::kKtx) + " are supported in .ktx files");
  }
  TESSERA_RETURN_IF_ERROR(check_header(header, name));
  TextureIndex index;
  index.info = ktx_info(header, *format);
  // Sizes of blocks are multiples of four, so that nothing has to be padded.
  uint64_t position = uint64_t{kHeaderBytes} + header.key_value_bytes;
  for (uint32_t level = 0; level < header.levels; ++level) {
    const auto bytes = level_bytes(index.info, level);
    if (!bytes || position + kSizeBytes > file_bytes ||
        *bytes > file_bytes - position - kSizeBytes) {
      return ktx::invalid(name,
                          "level " + std::to_string(level) + " goes beyond the end of the file");
    }
    TESSERA_RETURN_IF_ERROR(check_size_field(head, position, ktx_size_field(index.info, *bytes),
                                             header.is_swapped(), name));
    index.levels.push_back({position + kSizeBytes, *bytes, *bytes});
    position += kSizeBytes + *bytes;
  }
  if (position != file_bytes) {
    return ktx::invalid(name, "bytes follow its last level");
  }
  TESSERA_ASSIGN_OR_RETURN(const ByteSpan texts, key_bytes(head, header, name));
  TESSERA_ASSIGN_OR_RETURN(FileKeys keys, read_ktx_keys(texts, header.is_swapped(), name));
  index.made_with = std::move(keys.made_with);
  index.keys = std::move(keys.keys);
  index.info.upside_down = is_upside_down(index.keys);
  return index;
}

Result<LargeBytes> write_ktx_file(const Texture& texture, const std::vector<TextureKey>& keys) {
  const TextureInfo& info = texture.info;
  const FormatRow& row = format_row(info.format);
  const auto number = gl_number(row, info.block, info.srgb ? Profile::kSrgb : Profile::kLdr);
  if (!row.is_held_by(ContainerType::kKtx) || !number) {
    return unsupported_error(".ktx files have no number for " + std::string(row.name) +
                             " with blocks of " + block_size_name(info.block));
  }
  TESSERA_ASSIGN_OR_RETURN(const Bytes key_values, make_ktx_keys(keys));
  LargeBytes bytes;
  ByteWriter writer(bytes);
  writer.write_bytes(kIdentifier);
  const bool is_volume = info.depth > 1 || info.block.depth > 1;
  for (const uint32_t field :
       {kByteOrder, 0u, 1u, 0u, *number, kRgba, info.width, info.height,
        is_volume ? info.depth : 0u, info.layers > info.faces ? info.layers / info.faces : 0u,
        info.faces, static_cast<uint32_t>(texture.levels.size()),
        static_cast<uint32_t>(key_values.size())}) {
    writer.write(field);
  }
  writer.write_bytes(key_values);
  for (const LargeBytes& level : texture.levels) {
    if (level.size() > UINT32_MAX) {
      return unsupported_error(".ktx files have levels of less than 4 GiB");
    }
    writer.write(static_cast<uint32_t>(ktx_size_field(info, level.size())));
    writer.write_bytes(level);
  }
  return bytes;
}

}  // namespace tessera
