// Reading and writing .ktx2 files. Field names as in the KTX File Format Specification,
// version 2.0. The parts of a file come in this order: header, index, level index, data format
// descriptor, key/value data, levels from the smallest to the largest.
#include "containers/ktx2_file.h"

#include <algorithm>

#include "base/mip_levels.h"
#include "containers/ktx2_descriptor.h"
#include "containers/ktx2_error.h"
#include "containers/ktx2_header.h"
#include "containers/ktx2_keys.h"
#include "containers/stored_level.h"

namespace tessera {
namespace {

constexpr uint64_t kMaxPadding = 15;  // bytes: levels start at multiples of 16 at most

using ktx2::Header;
using ktx2::kHeaderBytes;
using ktx2::kIdentifier;
using ktx2::kLevelEntryBytes;
using ktx2::kSchemeNone;
using ktx2::kSchemeZstd;
using ktx2::Level;
using ktx2::Section;

Status check_served(const Header& header, const std::string& name) {
  if (header.scheme != kSchemeNone && header.scheme != kSchemeZstd) {
    return unsupported_error(name + " uses supercompression scheme " +
                             std::to_string(header.scheme) +
                             "; only 0 (none) and 2 (Zstandard) are supported");
  }
  if (header.scheme == kSchemeZstd && !have_zstd()) {
    return zstd_decompress({}, ZstdPart(), name).error();
  }
  return {};
}

Status check_header(const Header& header, const TextureInfo& info, const std::string& name) {
  if (header.type_size != 1) {
    return invalid_ktx2(name, "typeSize of a block format must be 1");
  }
  if (header.width == 0 || header.height == 0) {
    return invalid_ktx2(name, "one of its sides is zero");
  }
  if (header.depth == 0 && info.block.depth > 1) {
    return invalid_ktx2(name, "blocks of " + block_size_name(info.block) + " need a depth");
  }
  if (header.faces != 1 && header.faces != kCubeFaces) {
    return invalid_ktx2(name, "it claims " + std::to_string(header.faces) + " faces");
  }
  if (header.faces == kCubeFaces && (header.width != header.height || header.depth != 0)) {
    return invalid_ktx2(name, "the faces of its cube map are not square");
  }
  if (header.layers > UINT32_MAX / header.faces) {
    return invalid_ktx2(name, "it claims " + std::to_string(header.layers) + " layers");
  }
  if (header.levels == 0 ||
      header.levels > mip_level_count(header.width, header.height, header.depth)) {
    return invalid_ktx2(name, "it claims " + std::to_string(header.levels) + " mip levels");
  }
  if (header.global_data.length != 0 && header.scheme != 1) {
    return invalid_ktx2(name, "its supercompression scheme has no global data");
  }
  return check_served(header, name);
}

// Walks over the parts of a file in their order.
class Layout {
 public:
  Layout(uint64_t end, uint64_t file_bytes, const std::string& name)
      : end_(end), file_bytes_(file_bytes), name_(name) {}

  Status place(const Section& section, const std::string& what) {
    if (section.offset < end_) {
      return invalid_ktx2(name_, what + " overlaps with what comes before it");
    }
    if (section.offset > file_bytes_ || section.length > file_bytes_ - section.offset) {
      return invalid_ktx2(name_, what + " goes beyond the end of the file");
    }
    if (section.offset - end_ > kMaxPadding) {
      return invalid_ktx2(name_, "there are unused bytes before " + what);
    }
    end_ = section.offset + section.length;
    return {};
  }

  Status finish() const {
    return end_ == file_bytes_ ? Status() : invalid_ktx2(name_, "bytes follow its last level");
  }

 private:
  uint64_t end_;
  uint64_t file_bytes_;
  const std::string& name_;
};

Status check_layout(const Header& header, const std::vector<Level>& levels, uint64_t file_bytes,
                    const std::string& name) {
  Layout layout(kHeaderBytes + kLevelEntryBytes * levels.size(), file_bytes, name);
  TESSERA_RETURN_IF_ERROR(layout.place(header.descriptor, "the data format descriptor"));
  if (header.key_values.length != 0) {
    TESSERA_RETURN_IF_ERROR(layout.place(header.key_values, "the key/value data"));
  }
  for (size_t i = levels.size(); i-- > 0;) {
    TESSERA_RETURN_IF_ERROR(layout.place(levels[i].section, "level " + std::to_string(i)));
  }
  return layout.finish();
}

Status check_levels(const Header& header, const TextureInfo& info, const std::vector<Level>& levels,
                    const std::string& name) {
  for (uint32_t i = 0; i < levels.size(); ++i) {
    const Level& level = levels[i];
    const auto expected = level_bytes(info, i);
    if (!expected || level.uncompressed_length != *expected) {
      return invalid_ktx2(name, "level " + std::to_string(i) + " claims " +
                                    std::to_string(level.uncompressed_length) +
                                    " bytes, but its header asks for " +
                                    (expected ? std::to_string(*expected) : "more than 2^64"));
    }
    if (header.scheme != kSchemeNone) {
      continue;
    }
    if (level.section.length != *expected) {
      return invalid_ktx2(name, "level " + std::to_string(i) + " has two different sizes");
    }
    if (level.section.offset % bytes_per_block(info.format) != 0) {
      return invalid_ktx2(name, "level " + std::to_string(i) + " does not start at a multiple of " +
                                    std::to_string(bytes_per_block(info.format)) + " bytes");
    }
  }
  return {};
}

// Nothing where the section goes beyond the part of the file that was read.
ByteSpan bytes_of(ByteSpan head, const Section& section) {
  const bool is_there =
      section.offset <= head.size() && section.length <= head.size() - section.offset;
  return section.length == 0 || !is_there ? ByteSpan()
                                          : head.subspan(static_cast<size_t>(section.offset),
                                                         static_cast<size_t>(section.length));
}

TextureInfo sized_info(const Header& header, TextureInfo info) {
  info.width = header.width;
  info.height = header.height;
  info.depth = std::max(1u, header.depth);
  info.faces = header.faces;
  info.layers = std::max(1u, header.layers) * header.faces;
  return info;
}

Status check_writable(const Texture& texture) {
  const TextureInfo& info = texture.info;
  const uint32_t most = mip_level_count(info.width, info.height, info.depth);
  if (info.width == 0 || info.height == 0 || info.depth == 0 || info.layers == 0 ||
      info.layers % info.faces != 0 || texture.levels.empty() || texture.levels.size() > most) {
    return invalid_error("a texture of " + std::to_string(info.width) + "x" +
                         std::to_string(info.height) + " cannot have " +
                         std::to_string(texture.levels.size()) + " mip levels");
  }
  for (uint32_t i = 0; i < texture.levels.size(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(const uint64_t expected, level_bytes(info, i));
    if (texture.levels[i].size() != expected) {
      return invalid_error("mip level " + std::to_string(i) + " has " +
                           std::to_string(texture.levels[i].size()) + " bytes, not " +
                           std::to_string(expected));
    }
  }
  return {};
}

// Where each level goes when `position` bytes come before all of them.
std::vector<Level> place_levels(const Texture& texture, const std::vector<ByteSpan>& stored,
                                uint64_t position, uint64_t alignment) {
  std::vector<Level> levels(stored.size());
  for (size_t i = stored.size(); i-- > 0;) {
    position = divide_round_up(position, alignment) * alignment;
    levels[i] = {{position, stored[i].size()}, texture.levels[i].size()};
    position += stored[i].size();
  }
  return levels;
}

// Nothing where that would take no fewer bytes: readers would unpack levels for nothing.
Result<std::vector<Bytes>> compress_levels(const Texture& texture, int effort) {
  std::vector<Bytes> compressed;
  size_t before = 0;
  size_t after = 0;
  for (const LargeBytes& level : texture.levels) {
    TESSERA_ASSIGN_OR_RETURN(Bytes small, zstd_compress(level, effort));
    before += level.size();
    after += small.size();
    compressed.push_back(std::move(small));
  }
  if (after >= before) {
    compressed.clear();
  }
  return compressed;
}

void write_header(ByteWriter<LargeBytes>& writer, const TextureInfo& info, uint32_t vk_format,
                  const std::vector<Level>& levels, uint32_t scheme, size_t descriptor_bytes,
                  size_t key_value_bytes) {
  const size_t descriptor_offset = kHeaderBytes + kLevelEntryBytes * levels.size();
  const bool volume = info.depth > 1 || info.block.depth > 1;
  writer.write_bytes(kIdentifier);
  writer.write(vk_format);
  writer.write(uint32_t{1});  // type size
  writer.write(info.width);
  writer.write(info.height);
  writer.write(volume ? info.depth : 0);
  writer.write(info.layers > info.faces ? info.layers / info.faces : 0);
  writer.write(info.faces);
  writer.write(static_cast<uint32_t>(levels.size()));
  writer.write(scheme);
  writer.write(static_cast<uint32_t>(descriptor_offset));
  writer.write(static_cast<uint32_t>(descriptor_bytes));
  writer.write(static_cast<uint32_t>(descriptor_offset + descriptor_bytes));
  writer.write(static_cast<uint32_t>(key_value_bytes));
  writer.write_zeros(16);  // no global data
  for (const Level& level : levels) {
    writer.write(level.section.offset);
    writer.write(level.section.length);
    writer.write(level.uncompressed_length);
  }
}

}  // namespace

bool is_ktx2_file(ByteSpan bytes) {
  return bytes.size() >= kIdentifier.size() &&
         std::equal(kIdentifier.begin(), kIdentifier.end(), bytes.begin());
}

bool is_ktx2_texture(ByteSpan bytes) {
  ByteReader reader(bytes);
  return is_ktx2_file(bytes) &&
         ktx2::find_pixel_format(ktx2::read_header(reader).vk_format) == nullptr;
}

Result<TextureIndex> read_ktx2_index(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  ByteReader reader(head);
  const Header header = ktx2::read_header(reader);
  if (header.identifier != kIdentifier) {
    return invalid_ktx2(name, "it does not start with the identifier");
  }
  if (!reader.ok()) {
    return invalid_ktx2(name, "it ends within its header of 80 bytes");
  }
  TextureIndex index;
  const auto format = find_vulkan_format(header.vk_format);
  if (!format || !format->row->is_held_by(ContainerType::kKtx2)) {
    return unsupported_error(name + " holds Vulkan format " + std::to_string(header.vk_format) +
                             "; only " + titles_held_by(ContainerType::kKtx2) +
                             " are supported in .ktx2 files");
  }
  set_format(*format, index.info);
  TESSERA_RETURN_IF_ERROR(check_header(header, index.info, name));
  index.info = sized_info(header, index.info);
  const std::vector<Level> levels = ktx2::read_level_index(reader, header.levels);
  if (!reader.ok()) {
    return invalid_ktx2(name, "it ends within its level index");
  }
  TESSERA_RETURN_IF_ERROR(check_layout(header, levels, file_bytes, name));
  TESSERA_RETURN_IF_ERROR(check_ktx2_descriptor(bytes_of(head, header.descriptor), index.info,
                                                header.scheme != kSchemeNone, name));
  const Section& texts = header.key_values;
  TESSERA_RETURN_IF_ERROR(check_key_limits(0, texts.length, name));
  if (texts.offset <= head.size() && texts.length > head.size() - texts.offset) {
    return invalid_ktx2(name, "it ends within its key/value data");
  }
  TESSERA_ASSIGN_OR_RETURN(FileKeys keys, read_ktx2_keys(bytes_of(head, texts), name));
  index.made_with = std::move(keys.made_with);
  index.keys = std::move(keys.keys);
  index.info.upside_down = is_upside_down(index.keys);
  TESSERA_RETURN_IF_ERROR(check_levels(header, index.info, levels, name));
  for (const Level& level : levels) {
    index.levels.push_back({level.section.offset, level.section.length, level.uncompressed_length,
                            header.scheme == kSchemeZstd});
  }
  return index;
}

Result<Texture> read_ktx2_file(ByteSpan bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const TextureIndex index, read_ktx2_index(bytes, bytes.size(), name));
  return read_all_levels(bytes, index, name, {});
}

Result<LargeBytes> write_ktx2_file(const Texture& texture, const Ktx2Options& options) {
  const auto vk_format = vulkan_number(texture.info);
  if (!vk_format) {
    return unsupported_error(
        ".ktx2 files have no format number for " + std::string(texture.info.srgb ? "sRGB " : "") +
        (texture.info.hdr ? "HDR " : "") + std::string(texture_format_name(texture.info.format)) +
        " with blocks of " + block_size_name(texture.info.block));
  }
  TESSERA_RETURN_IF_ERROR(check_writable(texture));
  std::vector<Bytes> compressed;
  std::vector<ByteSpan> stored(texture.levels.begin(), texture.levels.end());
  if (options.zstd) {
    TESSERA_ASSIGN_OR_RETURN(compressed, compress_levels(texture, options.zstd_level));
  }
  const bool has_zstd = !compressed.empty();
  if (has_zstd) {
    stored.assign(compressed.begin(), compressed.end());
  }
  const Bytes descriptor = make_ktx2_descriptor(texture.info);
  TESSERA_ASSIGN_OR_RETURN(
      const Bytes key_values,
      make_ktx2_keys(keys_with_orientation(texture.info, options.keys, options.orientation),
                     options.made_with));
  const uint64_t start =
      kHeaderBytes + kLevelEntryBytes * stored.size() + descriptor.size() + key_values.size();
  const uint64_t alignment = has_zstd ? 1 : bytes_per_block(texture.info.format);
  const std::vector<Level> levels = place_levels(texture, stored, start, alignment);

  LargeBytes bytes;
  bytes.reserve(static_cast<size_t>(levels[0].section.offset + levels[0].section.length));
  ByteWriter writer(bytes);
  write_header(writer, texture.info, *vk_format, levels, has_zstd ? kSchemeZstd : kSchemeNone,
               descriptor.size(), key_values.size());
  writer.write_bytes(descriptor);
  writer.write_bytes(key_values);
  for (size_t i = stored.size(); i-- > 0;) {
    writer.write_zeros(static_cast<size_t>(levels[i].section.offset - bytes.size()));
    writer.write_bytes(stored[i]);
  }
  return bytes;
}

}  // namespace tessera
