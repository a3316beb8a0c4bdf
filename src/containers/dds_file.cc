// Reading and writing .dds files. Field names and flags as in Microsoft's "Programming Guide for
// DDS".
#include "containers/dds_file.h"

#include <algorithm>

#include "base/mip_levels.h"
#include "containers/dds_header.h"
#include "containers/dds_numbers.h"
#include "containers/stored_level.h"

namespace tessera {
namespace {

using namespace dds;  // NOLINT(google-build-using-namespace)

constexpr uint32_t kHeaderSize = 124;      // bytes, without the magic number
constexpr uint32_t kPixelFormatSize = 32;  // bytes

// Reads the DX10 extension into `info`. It tells volumes whatever the header's caps say.
Status read_dx10(ByteReader& reader, const Header& header, const std::string& name,
                 TextureInfo& info) {
  const uint32_t format = reader.read<uint32_t>();
  const uint32_t dimension = reader.read<uint32_t>();
  const uint32_t misc = reader.read<uint32_t>();
  const uint32_t array_size = reader.read<uint32_t>();
  reader.skip(4);
  if (!reader.ok()) {
    return invalid_error(name + " is not a valid .dds file: it ends within its DX10 header");
  }
  const auto found = find_dxgi_format(format);
  if (!found || !found->row->is_held_by(ContainerType::kDds)) {
    return unsupported_error(name + " holds DXGI format " + std::to_string(format) + "; only " +
                             titles_held_by(ContainerType::kDds) + " is supported in .dds files");
  }
  if (dimension != kDimension2d && dimension != kDimension3d) {
    return unsupported_error(name + " is neither 2D nor 3D, which is not supported");
  }
  const bool is_volume = dimension == kDimension3d;
  if (is_volume && ((misc & kMiscCubeMap) != 0 || array_size != 1)) {
    return invalid_error(name + " is not a valid .dds file: it is a volume and has layers");
  }
  info.depth = is_volume ? header.depth : 1;
  const uint32_t faces = (misc & kMiscCubeMap) != 0 ? kCubeFaces : 1;
  if (array_size == 0 || array_size > UINT32_MAX / faces) {
    return invalid_error(name + " is not a valid .dds file: its array has " +
                         std::to_string(array_size) + " layers");
  }
  info.faces = faces;
  info.layers = array_size * faces;
  set_format(*found, info);
  return {};
}

// A volume or a cube map of the old header, which may leave out faces.
Status read_old_kind(const Header& header, const std::string& name, TextureInfo& info) {
  const bool is_volume = (header.caps2 & kCaps2Volume) != 0;
  if (!is_volume && header.depth > 1) {
    return unsupported_error(name + " has a depth and does not say that it is a volume");
  }
  if ((header.caps2 & kCaps2CubeMap) == 0) {
    info.depth = is_volume ? header.depth : 1;
    return {};
  }
  if (is_volume) {
    return invalid_error(name + " is not a valid .dds file: it is a volume and a cube map");
  }
  if ((header.caps2 & kCaps2AllFaces) != kCaps2AllFaces) {
    return unsupported_error(name + " is a cube map without some of its faces");
  }
  info.layers = info.faces = kCubeFaces;
  return {};
}

// The format that the old header names; nullptr for others.
const FormatRow* find_four_cc(uint32_t code) {
  for (const FormatRow& row : format_table()) {
    if (row.dds_four_cc == code && row.is_held_by(ContainerType::kDds)) {
      return &row;
    }
  }
  return nullptr;
}

Status check_header(uint32_t magic, const Header& header, bool complete, const std::string& name) {
  const auto invalid = [&](const std::string& what) {
    return invalid_error(name + " is not a valid .dds file: " + what);
  };
  if (magic != kMagic) {
    return invalid("it does not start with 'DDS '");
  }
  if (!complete) {
    return invalid("it ends within its header of 128 bytes");
  }
  if (header.size != kHeaderSize || header.pixel_format_size != kPixelFormatSize) {
    return invalid("its header has the wrong size");
  }
  if (header.width == 0 || header.height == 0) {
    return invalid("one of its sides is zero");
  }
  const bool known_code =
      find_four_cc(header.pixel_format_code) != nullptr || header.pixel_format_code == kFourCcDx10;
  if ((header.pixel_format_flags & kPixelFormatFourCc) == 0 || !known_code) {
    return unsupported_error(name + " does not hold " + titles_held_by(ContainerType::kDds) +
                             " blocks, which is all that is supported in .dds files");
  }
  return {};
}

// Splits what follows the header into levels. All levels of a layer come before the next layer.
Status place_levels(uint64_t offset, uint64_t file_bytes, uint32_t level_count,
                    const std::string& name, TextureIndex& index) {
  if (level_count > mip_level_count(index.info.width, index.info.height, index.info.depth)) {
    return invalid_error(name + " is not a valid .dds file: it claims " +
                         std::to_string(level_count) + " mip levels");
  }
  const uint64_t layers = index.info.layers;
  TextureInfo layer = index.info;
  layer.layers = 1;
  uint64_t total = 0;  // of a layer
  for (uint32_t level = 0; level < level_count; ++level) {
    TESSERA_ASSIGN_OR_RETURN(const uint64_t size, level_bytes(layer, level));
    TESSERA_ASSIGN_OR_RETURN(const uint64_t all, level_bytes(index.info, level));
    if (size > UINT64_MAX - offset - total) {
      return invalid_error(name + " is not a valid .dds file: it claims more than 2^64 bytes");
    }
    index.levels.push_back({offset + total, size, all});
    total += size;
  }
  if (checked_multiply(total, layers) != file_bytes - offset) {
    return invalid_error(name + " is not a valid .dds file: its header asks for " +
                         (layers == 1 ? "" : std::to_string(layers) + " times ") +
                         std::to_string(total) + " bytes of blocks, but it has " +
                         std::to_string(file_bytes - offset));
  }
  for (StoredLevel& level : index.levels) {
    level.layer_stride = layers == 1 ? 0 : total;
  }
  return {};
}

void write_header(const Texture& texture, uint32_t four_cc, ByteWriter<LargeBytes>& writer) {
  const TextureInfo& info = texture.info;
  const bool mips = texture.levels.size() > 1;
  const bool is_cube = info.faces != 1;
  const bool is_volume = info.depth > 1;
  writer.write(kMagic);
  writer.write(kHeaderSize);
  writer.write(kFlagsRequired | kFlagLinearSize | (mips ? kFlagMipMapCount : 0u) |
               (is_volume ? kFlagDepth : 0u));
  writer.write(info.height);
  writer.write(info.width);
  writer.write(static_cast<uint32_t>(texture.levels[0].size() / info.layers / info.depth));
  writer.write(is_volume ? info.depth : 0u);
  writer.write(static_cast<uint32_t>(texture.levels.size()));
  writer.write_zeros(11 * 4);
  writer.write(kPixelFormatSize);
  writer.write(kPixelFormatFourCc);
  writer.write(four_cc);
  writer.write_zeros(5 * 4);
  writer.write(kCapsTexture | (mips || is_cube || is_volume ? kCapsComplex : 0u) |
               (mips ? kCapsMipMap : 0u));
  writer.write(is_cube ? kCaps2CubeMap | kCaps2AllFaces : is_volume ? kCaps2Volume : 0u);
  writer.write_zeros(3 * 4);
}

}  // namespace

bool is_dds_file(ByteSpan bytes) {
  return ByteReader(bytes).read<uint32_t>() == kMagic;
}

Result<TextureIndex> read_dds_index(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  ByteReader reader(head);
  const auto magic = reader.read<uint32_t>();
  const Header header = read_header(reader);
  TESSERA_RETURN_IF_ERROR(check_header(magic, header, reader.ok(), name));
  TextureIndex index;
  index.info.width = header.width;
  index.info.height = header.height;
  if (header.pixel_format_code == kFourCcDx10) {
    TESSERA_RETURN_IF_ERROR(read_dx10(reader, header, name, index.info));
  } else {
    const FormatRow& row = *find_four_cc(header.pixel_format_code);
    set_format({&row, row.default_block, Profile::kLdr}, index.info);
    TESSERA_RETURN_IF_ERROR(read_old_kind(header, name, index.info));
  }
  if (index.info.depth == 0) {
    return invalid_error(name + " is not a valid .dds file: it is a volume without a depth");
  }
  if (index.info.faces != 1 && header.width != header.height) {
    return invalid_error(name + " is not a valid .dds file: the faces of its cube map are not " +
                         "square");
  }
  const bool has_levels = (header.flags & kFlagMipMapCount) != 0 && header.mip_levels > 0;
  TESSERA_RETURN_IF_ERROR(
      place_levels(reader.position(), file_bytes, has_levels ? header.mip_levels : 1, name, index));
  return index;
}

Result<Texture> read_dds_file(ByteSpan bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const TextureIndex index, read_dds_index(bytes, bytes.size(), name));
  return read_all_levels(bytes, index, name, {});
}

Result<LargeBytes> write_dds_file(const Texture& texture, DdsHeader header) {
  const TextureInfo& info = texture.info;
  const FormatRow& row = format_row(info.format);
  const auto number = dxgi_number(row, info.block, profile_of(info));
  if (!row.is_held_by(ContainerType::kDds) || !number) {
    return unsupported_error(".dds files hold " + titles_held_by(ContainerType::kDds) +
                             " here, not " + std::string(row.name));
  }
  if (info.depth > 1 && info.layers > 1) {
    return unsupported_error(".dds files cannot hold arrays of volumes");
  }
  const bool is_array = info.layers != info.faces;
  if (header == DdsHeader::kLegacy && (info.srgb || is_array)) {
    return unsupported_error(std::string("the old .dds header cannot say that a texture is ") +
                             (info.srgb ? "sRGB" : "an array"));
  }
  const bool dx10 = header == DdsHeader::kDx10 || info.srgb || is_array || row.dds_four_cc == 0;
  LargeBytes bytes;
  ByteWriter writer(bytes);
  write_header(texture, dx10 ? kFourCcDx10 : row.dds_four_cc, writer);
  if (dx10) {
    writer.write(*number);
    writer.write(info.depth > 1 ? kDimension3d : kDimension2d);
    writer.write(info.faces != 1 ? kMiscCubeMap : 0u);
    writer.write(info.layers / info.faces);
    writer.write(uint32_t{0});
  }
  for (uint32_t layer = 0; layer < info.layers; ++layer) {
    for (const LargeBytes& level : texture.levels) {
      const size_t size = level.size() / info.layers;
      writer.write_bytes(ByteSpan(level).subspan(layer * size, size));
    }
  }
  return bytes;
}

}  // namespace tessera
