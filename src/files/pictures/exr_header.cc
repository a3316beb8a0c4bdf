// Names and numbers as in "OpenEXR File Layout".
#include "files/pictures/exr_header.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "files/pictures/decode_error.h"

namespace tessera {
namespace {

constexpr uint32_t kMagic = 0x01312f76;
constexpr uint32_t kVersion = 2;
constexpr uint32_t kVersionMask = 0xff;
constexpr uint32_t kFlagTiled = 0x200;
constexpr uint32_t kFlagLongNames = 0x400;
constexpr uint32_t kFlagDeep = 0x800;
constexpr uint32_t kFlagManyParts = 0x1000;
constexpr size_t kVersionBytes = 8;  // magic number and version

// Bytes that any file may ask for, whatever its own size: for a chunk or a row of tiles, which the
// library holds beside the image, and for images in a compression without a useful limit.
constexpr uint64_t kFreeBytes = 64 << 20;

// What the library takes for each byte of an unpacked chunk, in halves of a byte: the chunk as it
// is in the file, and two copies of the unpacked one, or two and a half (RLE).
constexpr uint64_t kHeldHalves = 7;

constexpr size_t kMaxAttributes = 4096;  // nothing honest has more
constexpr size_t kMaxChannels = 1024;

constexpr uint64_t kMinChunkBytes = 16;  // its place in the table of offsets, row and size

// A compression method: rows in a chunk, and the bytes of pixels that a byte of the file may stand
// for. The limits of "none", RLE, ZIP (deflate), PXR24 (deflate of three out of four bytes) and B44
// are those of the methods; PIZ stays below 512 in theory. Pictures of a single colour get DWA to
// many thousands, so that kFreeBytes come on top.
struct Compression {
  uint32_t rows = 1;
  uint64_t max_inflation = 1;
  uint64_t free_bytes = 0;
};
constexpr std::array<Compression, 10> kCompressions = {{
    {1, 1},                   // none
    {1, 64},                  // RLE
    {1, 1032},                // ZIPS
    {16, 1032},               // ZIP
    {32, 1032},               // PIZ
    {16, 1376},               // PXR24
    {32, 11},                 // B44
    {32, 11},                 // B44A
    {32, 1032, kFreeBytes},   // DWAA
    {256, 1032, kFreeBytes},  // DWAB
}};

struct Attribute {
  std::string_view name;
  std::string_view type;
  ByteSpan value;
};

// What the checks need and the caller does not.
struct Layout {
  std::optional<uint8_t> compression;
  std::optional<std::array<uint32_t, 4>> window;  // left, top, right, bottom; signed, both inside
  std::optional<std::array<uint32_t, 2>> tile;    // width, height
  bool has_channels = false;
};

Error damaged_header(const std::string& name) {
  return invalid_content(name, "its OpenEXR header is damaged or not complete");
}

// Takes the text up to the next zero byte; nothing when there is none.
std::optional<std::string_view> take_text(ByteSpan& bytes) {
  const auto end = std::find(bytes.begin(), bytes.end(), uint8_t{0});
  if (end == bytes.end()) {
    return std::nullopt;
  }
  const auto length = static_cast<size_t>(end - bytes.begin());
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), length);
  bytes = bytes.subspan(length + 1);
  return text;
}

// Nothing when the header ends within it.
std::optional<Attribute> take_attribute(ByteSpan& bytes) {
  const auto name = take_text(bytes);
  const auto type = name ? take_text(bytes) : std::nullopt;
  ByteReader reader(bytes);
  const uint32_t length = reader.read<uint32_t>();
  if (!type || !reader.ok() || length > reader.remaining()) {
    return std::nullopt;
  }
  const Attribute attribute = {*name, *type, bytes.subspan(4, length)};
  bytes = bytes.subspan(size_t{4} + length);
  return attribute;
}

// The bytes of an attribute that does not lie within `bytes`, as far as they tell.
uint64_t claimed_bytes(ByteSpan bytes) {
  ByteSpan rest = bytes;
  const bool has_texts = take_text(rest) && take_text(rest);
  ByteReader reader(rest);
  const uint64_t length = reader.read<uint32_t>();
  const uint64_t begin = bytes.size() - rest.size();
  return has_texts && reader.ok() ? begin + sizeof(uint32_t) + length : bytes.size() + 1;
}

bool read_channels(ByteSpan value, std::vector<ExrChannel>& channels) {
  while (!value.empty()) {
    const auto name = take_text(value);
    if (!name) {
      return false;
    }
    if (name->empty()) {
      return value.empty();
    }
    ByteReader reader(value);
    ExrChannel channel;
    channel.name = *name;
    const uint32_t sample = reader.read<uint32_t>();
    reader.skip(4);  // a hint for lossy compression
    channel.x_sampling = reader.read<uint32_t>();
    channel.y_sampling = reader.read<uint32_t>();
    if (!reader.ok() || sample > 2 || channels.size() == kMaxChannels || channel.x_sampling == 0 ||
        channel.y_sampling == 0) {
      return false;
    }
    channel.sample = static_cast<ExrSample>(sample);
    channels.push_back(channel);
    value = value.subspan(reader.position());
  }
  return false;
}

// The attributes that the library needs. It reads some types by their own lengths, whatever length
// the attribute claims, so type and length are checked here.
struct NeededAttribute {
  std::string_view name;
  std::string_view type;
  std::optional<size_t> bytes;
};
constexpr std::array<NeededAttribute, 10> kNeededAttributes = {{
    {"channels", "chlist", std::nullopt},
    {"compression", "compression", 1},
    {"dataWindow", "box2i", 16},
    {"displayWindow", "box2i", 16},
    {"lineOrder", "lineOrder", 1},
    {"pixelAspectRatio", "float", 4},
    {"screenWindowCenter", "v2f", 8},
    {"screenWindowWidth", "float", 4},
    {"tiles", "tiledesc", 9},
    {"type", "string", std::nullopt},
}};

const NeededAttribute* find_needed(std::string_view name) {
  const auto* const at =
      std::find_if(kNeededAttributes.begin(), kNeededAttributes.end(),
                   [&](const NeededAttribute& needed) { return needed.name == name; });
  return at != kNeededAttributes.end() ? at : nullptr;
}

// Of a needed attribute. False for a second one of the same name too: the library would take that.
bool read_attribute(const Attribute& attribute, ExrHeader& header, Layout& layout) {
  ByteReader reader(attribute.value);
  if (attribute.name == "channels") {
    const bool first = !layout.has_channels;
    layout.has_channels = true;
    return first && read_channels(attribute.value, header.channels);
  }
  if (attribute.name == "compression") {
    const bool first = !layout.compression;
    layout.compression = reader.read<uint8_t>();
    return first;
  }
  if (attribute.name == "dataWindow") {
    const bool first = !layout.window;
    std::array<uint32_t, 4>& window = layout.window.emplace();
    for (uint32_t& side : window) {
      side = reader.read<uint32_t>();
    }
    return first;
  }
  if (attribute.name == "tiles") {
    const bool first = !layout.tile;
    std::array<uint32_t, 2>& tile = layout.tile.emplace();
    tile[0] = reader.read<uint32_t>();
    tile[1] = reader.read<uint32_t>();
    return first;
  }
  return true;
}

Error too_long_header(const std::string& name) {
  return unsupported_content(name, "its OpenEXR header has more than " +
                                       std::to_string(kMostExrHeaderBytes >> 20) +
                                       " MiB, which is the limit");
}

// Why `rest`, which begins at `place` of a file of `file_bytes`, holds no whole attribute.
Error cut_attribute(ByteSpan rest, uint64_t place, uint64_t file_bytes, const std::string& name) {
  const uint64_t end = place + claimed_bytes(rest);
  return end > kMostExrHeaderBytes && end <= file_bytes ? too_long_header(name)
                                                        : damaged_header(name);
}

// Reads the attributes up to the end of the header and returns what follows it. header.bytes gets
// the header for the library.
Result<ByteSpan> read_attributes(ByteSpan bytes, uint64_t file_bytes, ExrHeader& header,
                                 Layout& layout, const std::string& name) {
  const ByteSpan most = bytes.first(std::min(bytes.size(), kMostExrHeaderBytes));
  ByteSpan rest = most.subspan(kVersionBytes);
  std::vector<std::pair<size_t, size_t>> types_to_hide;  // offset, length
  for (size_t count = 0; !rest.empty() && rest[0] != 0; ++count) {
    const ByteSpan before = rest;
    const auto attribute = take_attribute(rest);
    if (!attribute) {
      return cut_attribute(before, most.size() - before.size(), file_bytes, name);
    }
    if (count == kMaxAttributes) {
      return damaged_header(name);
    }
    const NeededAttribute* const needed = find_needed(attribute->name);
    if (needed == nullptr) {
      const auto* const type = reinterpret_cast<const uint8_t*>(attribute->type.data());
      types_to_hide.emplace_back(static_cast<size_t>(type - bytes.data()), attribute->type.size());
      continue;
    }
    if (attribute->type != needed->type ||
        (needed->bytes && attribute->value.size() != *needed->bytes) ||
        !read_attribute(*attribute, header, layout)) {
      return damaged_header(name);
    }
  }
  if (rest.empty()) {
    return cut_attribute(rest, most.size(), file_bytes, name);
  }
  const size_t length = most.size() - rest.size() + 1;
  header.bytes.assign(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(length));
  for (const auto& [offset, length_of_type] : types_to_hide) {
    std::fill_n(header.bytes.begin() + static_cast<ptrdiff_t>(offset), length_of_type,
                uint8_t{'-'});
  }
  return bytes.subspan(length);
}

// One more than the difference of two signed coordinates; 0 when they are in the wrong order.
uint64_t extent(uint32_t first, uint32_t last) {
  const int64_t difference =
      int64_t{static_cast<int32_t>(last)} - int64_t{static_cast<int32_t>(first)};
  return difference < 0 ? 0 : static_cast<uint64_t>(difference) + 1;
}

uint64_t sample_bytes_of(const ExrChannel& channel) {
  return channel.sample == ExrSample::kHalf ? 2 : 4;
}

// Whether a file with that many bytes behind its header may ask for `wanted` bytes of memory.
bool is_plausible(std::optional<uint64_t> wanted, uint64_t data_bytes, uint64_t max_inflation,
                  uint64_t free_bytes) {
  return wanted && (*wanted <= free_bytes || (*wanted - free_bytes) / max_inflation <= data_bytes);
}

Status check_sizes(ExrHeader& header, const Layout& layout, bool tiled, uint64_t data_bytes,
                   const std::string& name) {
  const Compression& compression = kCompressions[*layout.compression];
  uint64_t pixel_bytes = 0;        // of channels with a sample at every pixel
  uint64_t all_channel_bytes = 0;  // an upper limit
  for (const ExrChannel& channel : header.channels) {
    all_channel_bytes += sample_bytes_of(channel);
    if (channel.x_sampling == 1 && channel.y_sampling == 1) {
      pixel_bytes += sample_bytes_of(channel);
    }
  }
  const uint64_t chunk_width = tiled ? (*layout.tile)[0] : header.width;
  const uint64_t chunk_height = tiled ? (*layout.tile)[1] : compression.rows;
  if (chunk_width == 0 || chunk_height == 0 || chunk_width > kMaxFileExtent ||
      chunk_height > kMaxFileExtent) {
    return invalid_content(name, "its tiles have an impossible size");
  }
  const uint64_t chunks =
      divide_round_up(header.width, chunk_width) * divide_round_up(header.height, chunk_height);
  const uint64_t pixels = uint64_t{header.width} * header.height;
  const auto claimed = checked_multiply(pixels, pixel_bytes);
  if (!is_plausible(claimed, data_bytes, compression.max_inflation, compression.free_bytes) ||
      chunks > data_bytes / kMinChunkBytes) {
    return invalid_content(name, too_few_bytes_reason(header.width, header.height));
  }
  // Of tiles, the library keeps what the picture has of a row of them, too.
  const uint64_t row_width = tiled ? header.width : 0;
  const auto held =
      checked_multiply(std::max(chunk_width, row_width) * chunk_height, all_channel_bytes);
  if (!is_plausible(held, data_bytes, compression.max_inflation, kFreeBytes)) {
    return invalid_content(name, "it asks for more memory than its size accounts for");
  }
  header.held_bytes =
      (chunk_width * kHeldHalves / 2 + row_width) * chunk_height * all_channel_bytes;
  header.held_rows = static_cast<uint32_t>(std::min<uint64_t>(chunk_height, header.height));
  return {};
}

Status check_version(uint32_t version, const std::string& name) {
  if ((version & kVersionMask) != kVersion) {
    return unsupported_content(name, "only OpenEXR files of version 2 can be read");
  }
  if ((version & (kFlagDeep | kFlagManyParts)) != 0) {
    return unsupported_content(name,
                               "OpenEXR files with several parts or deep pixels cannot be read");
  }
  if ((version & ~(kVersionMask | kFlagTiled | kFlagLongNames)) != 0) {
    return unsupported_content(name, "its OpenEXR version has unknown flags");
  }
  return {};
}

}  // namespace

bool looks_like_exr(ByteSpan bytes) {
  return ByteReader(bytes).read<uint32_t>() == kMagic;
}

Result<ExrHeader> read_exr_header(ByteSpan bytes, uint64_t file_bytes, const std::string& name) {
  ByteReader reader(bytes);
  const bool right_magic = reader.read<uint32_t>() == kMagic;
  const uint32_t version = reader.read<uint32_t>();
  if (!right_magic || !reader.ok()) {
    return damaged_header(name);
  }
  TESSERA_RETURN_IF_ERROR(check_version(version, name));

  ExrHeader header;
  Layout layout;
  TESSERA_ASSIGN_OR_RETURN(const ByteSpan data,
                           read_attributes(bytes, file_bytes, header, layout, name));
  const bool tiled = (version & kFlagTiled) != 0;
  if (!layout.has_channels || !layout.compression || !layout.window ||
      tiled != layout.tile.has_value()) {
    return damaged_header(name);
  }
  if (*layout.compression >= kCompressions.size()) {
    return unsupported_content(name, "it uses OpenEXR compression " +
                                         std::to_string(*layout.compression) +
                                         ", which is not known");
  }
  const uint64_t width = extent((*layout.window)[0], (*layout.window)[2]);
  const uint64_t height = extent((*layout.window)[1], (*layout.window)[3]);
  TESSERA_RETURN_IF_ERROR(check_file_extent(name, width, height));
  header.width = static_cast<uint32_t>(width);
  header.height = static_cast<uint32_t>(height);
  TESSERA_RETURN_IF_ERROR(
      check_sizes(header, layout, tiled, file_bytes - (bytes.size() - data.size()), name));
  return header;
}

}  // namespace tessera
