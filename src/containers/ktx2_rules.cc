// Goes through the rules of .ktx2 files.
#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/mip_levels.h"
#include "base/utf8.h"
#include "containers/container_rules.h"
#include "containers/ktx2_descriptor.h"
#include "containers/ktx2_header.h"
#include "containers/ktx2_keys.h"
#include "containers/texture.h"
#include "containers/zstd_level.h"

namespace tessera {
namespace {

using ktx2::Header;
using ktx2::Level;
using ktx2::Section;

constexpr uint32_t kLastScheme = 3;  // none, BasisLZ, Zstandard, ZLIB
constexpr std::string_view kName = "the file";

bool is_within(const Section& section, uint64_t file_bytes) {
  return section.offset <= file_bytes && section.length <= file_bytes - section.offset;
}

std::string place_of(const Section& section) {
  return std::to_string(section.length) + " bytes at " + std::to_string(section.offset);
}

ByteSpan bytes_of(ByteSpan file, const Section& section) {
  return file.subspan(static_cast<size_t>(section.offset), static_cast<size_t>(section.length));
}

void check_extents(const Header& header, bool is_blocks, RuleList& rules) {
  const std::string size = std::to_string(header.width) + "x" + std::to_string(header.height) +
                           "x" + std::to_string(header.depth);
  rules.check("pixelWidth is not 0", header.width != 0, size);
  rules.check("pixelHeight is not 0 where there is a depth or a block format",
              header.height != 0 || (header.depth == 0 && !is_blocks), size);
  rules.check("faceCount is 1, or 6 for cube maps", header.faces == 1 || header.faces == 6,
              std::to_string(header.faces));
  rules.check("faces of cube maps are square and have no depth",
              header.faces != 6 || (header.width == header.height && header.depth == 0), size);
  rules.check("typeSize of a block format is 1", !is_blocks || header.type_size == 1,
              std::to_string(header.type_size));
  rules.check("levelCount is not more than the levels down to one texel",
              header.levels <= mip_level_count(header.width, header.height, header.depth),
              std::to_string(header.levels));
  rules.check("supercompressionScheme is a known one", header.scheme <= kLastScheme,
              std::to_string(header.scheme));
}

void check_descriptor(const Header& header, const TextureInfo* info, ByteSpan file,
                      RuleList& rules) {
  const Section& section = header.descriptor;
  const uint64_t expected =
      ktx2::kHeaderBytes + ktx2::kLevelEntryBytes * uint64_t{std::max(1U, header.levels)};
  rules.check("the data format descriptor follows the level index", section.offset == expected,
              "it is at " + std::to_string(section.offset) + ", not " + std::to_string(expected));
  if (!rules.check("the data format descriptor lies within the file",
                   section.length >= 4 && is_within(section, file.size()), place_of(section))) {
    return;
  }
  const ByteSpan bytes = bytes_of(file, section);
  const auto total = ByteReader(bytes).read<uint32_t>();
  rules.check("dfdTotalSize is dfdByteLength", total == section.length, std::to_string(total));
  const std::string agreement = "the data format descriptor agrees with vkFormat";
  if (info == nullptr) {
    rules.skip(agreement, "the format is not known");
    return;
  }
  const Status agrees =
      check_ktx2_descriptor(bytes, *info, header.scheme != ktx2::kSchemeNone, std::string(kName));
  rules.check(agreement, agrees.ok(), agrees ? "" : agrees.error().message);
}

// Values of keys that the specification defines.
void check_known_key(const std::string& key, std::string_view value, RuleList& rules) {
  const bool ends = !value.empty() && value.back() == 0;
  const std::string_view text = ends ? value.substr(0, value.size() - 1) : value;
  const auto is_made_of = [&](std::string_view letters) {
    return text.find_first_not_of(letters) == std::string_view::npos;
  };
  if (key == "KTXwriter" || key == "KTXwriterScParams") {
    rules.check(key + " is a text that ends with a zero byte", ends && is_utf8(text));
  } else if (key == "KTXorientation") {
    rules.check(key + " has a letter for each side",
                ends && !text.empty() && text.size() <= 3 && is_made_of("rlduoi"),
                shown_value(text));
  } else if (key == "KTXswizzle") {
    rules.check(key + " is four of r g b a 0 1", ends && text.size() == 4 && is_made_of("rgba01"),
                shown_value(text));
  } else if (key == "KTXastcDecodeMode") {
    rules.check(key + " is rgb9e5 or unorm8", ends && (text == "rgb9e5" || text == "unorm8"),
                shown_value(text));
  } else {
    rules.check("keys that begin with KTX are defined ones: " + shown_value(key),
                !key.starts_with("KTX") && !key.starts_with("ktx"), shown_value(key));
  }
}

void check_pairs(std::string_view rest, RuleList& rules) {
  if (rest.size() > kMostKeyBytes) {
    rules.skip("pairs of keys and values are right",
               "they have more than " + std::to_string(kMostKeyBytes) + " bytes");
    return;
  }
  std::string last;
  bool has_writer = false;
  bool is_sorted = true;
  bool has_plain_padding = true;
  for (size_t count = 0; !rest.empty(); ++count) {
    constexpr size_t kDefined = 16;  // more than the format defines
    if (count == kMostKeyPairs + kDefined) {
      rules.skip("pairs of keys and values are right",
                 "there are more than " + std::to_string(kMostKeyPairs));
      return;
    }
    const ByteSpan bytes(reinterpret_cast<const uint8_t*>(rest.data()), rest.size());
    ByteReader reader(bytes);
    const auto length = reader.read<uint32_t>();
    if (!rules.check("a pair lies within the key/value data",
                     reader.ok() && length <= rest.size() - 4, std::to_string(length) + " bytes")) {
      return;
    }
    const std::string_view pair = rest.substr(4, length);
    const size_t end = pair.find('\0');
    if (!rules.check("a key ends with a zero byte", end != std::string_view::npos && end > 0)) {
      return;
    }
    const std::string key(pair.substr(0, end));
    rules.check("a key is UTF-8 without a byte order mark",
                is_utf8(key) && !key.starts_with("\xEF\xBB\xBF"));
    is_sorted = is_sorted && (last.empty() || last < key);
    has_writer = has_writer || key == "KTXwriter";
    check_known_key(key, pair.substr(end + 1), rules);
    const size_t padded = std::min<size_t>(rest.size(), (size_t{length} + 4 + 3) / 4 * 4);
    const std::string_view padding = rest.substr(4 + length, padded - 4 - length);
    has_plain_padding =
        has_plain_padding && padding.find_first_not_of('\0') == std::string_view::npos;
    rest.remove_prefix(padded);
    last = key;
  }
  rules.check("keys are sorted, and none comes twice", is_sorted, "after " + shown_value(last));
  rules.check("padding of pairs is zero", has_plain_padding);
  rules.check("there is a KTXwriter", has_writer);
}

void check_key_values(const Header& header, ByteSpan file, RuleList& rules) {
  const Section& section = header.key_values;
  if (section.length == 0) {
    rules.check("kvdByteOffset is 0 where there is no key/value data", section.offset == 0,
                std::to_string(section.offset));
    return;
  }
  rules.check("the key/value data follows the descriptor",
              section.offset == header.descriptor.offset + header.descriptor.length,
              place_of(section));
  if (rules.check("the key/value data lies within the file", is_within(section, file.size()),
                  place_of(section))) {
    const ByteSpan bytes = bytes_of(file, section);
    check_pairs({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, rules);
  }
}

struct LevelRules {
  const Header& header;
  const TextureInfo* info;
  ByteSpan file;
  const ReadBudget& budget;
};

void check_level(const LevelRules& of, const Level& level, uint32_t number, RuleList& rules) {
  const std::string what = "level " + std::to_string(number) + ": ";
  const bool is_inside =
      rules.check(what + "its bytes lie within the file", is_within(level.section, of.file.size()),
                  place_of(level.section));
  const bool is_plain = of.header.scheme == ktx2::kSchemeNone;
  if (is_plain) {
    rules.check(what + "both of its lengths are the same",
                level.section.length == level.uncompressed_length,
                std::to_string(level.uncompressed_length));
  }
  if (of.info == nullptr) {
    rules.skip(what + "its length is that of its blocks", "the format is not known");
    return;
  }
  const uint64_t block = bytes_per_block(of.info->format);
  if (is_plain) {
    const uint64_t alignment = std::lcm(block, uint64_t{4});
    rules.check(what + "it starts at a multiple of " + std::to_string(alignment) + " bytes",
                level.section.offset % alignment == 0, std::to_string(level.section.offset));
  }
  const auto expected = level_bytes(*of.info, number);
  const uint64_t faces = of.header.faces == 6 ? 6 : 1;
  const bool is_right = rules.check(what + "its length is that of its blocks",
                                    expected && level.uncompressed_length == *expected * faces,
                                    std::to_string(level.uncompressed_length) + " bytes");
  if (of.header.scheme == ktx2::kSchemeZstd && is_inside && is_right) {
    const uint64_t bytes = level.uncompressed_length;
    const std::string rule = what + "it unpacks to its length";
    const MemoryNeed need = {of.file.size(), bytes,
                             zstd_growing_memory(level.section.length, bytes)};
    const Status possible = of.budget.check_memory(std::string(kName), need);
    if (!have_zstd() || !possible) {
      rules.skip(rule, have_zstd() ? possible.error().message : "this build has no zstd");
      return;
    }
    const auto unpacked =
        zstd_decompress(bytes_of(of.file, level.section), ZstdPart{bytes, 0, bytes},
                        std::string(kName), of.budget, need);
    rules.check(rule, unpacked.ok(), unpacked ? "" : unpacked.error().message);
  }
}

void check_levels(const LevelRules& of, const std::vector<Level>& levels, RuleList& rules) {
  uint64_t end = of.header.key_values.length != 0
                     ? of.header.key_values.offset + of.header.key_values.length
                     : of.header.descriptor.offset + of.header.descriptor.length;
  bool is_in_order = true;
  for (size_t i = levels.size(); i-- > 0;) {
    is_in_order = is_in_order && levels[i].section.offset >= end;
    end = levels[i].section.offset + levels[i].section.length;
  }
  rules.check("levels come from the smallest to the largest and do not overlap", is_in_order);
  rules.check("nothing follows the last level", end >= of.file.size(),
              std::to_string(of.file.size() - std::min<uint64_t>(end, of.file.size())) + " bytes");
  for (uint32_t i = 0; i < levels.size(); ++i) {
    check_level(of, levels[i], i, rules);
  }
}

}  // namespace

RuleList check_ktx2_rules(ByteSpan bytes, const ReadBudget& budget) {
  RuleList rules;
  ByteReader reader(bytes);
  const Header header = ktx2::read_header(reader);
  if (!rules.check("the file begins with the identifier", header.identifier == ktx2::kIdentifier) ||
      !rules.check("the header is complete", reader.ok(),
                   std::to_string(bytes.size()) + " bytes")) {
    return rules;
  }
  const auto format = find_vulkan_format(header.vk_format);
  TextureInfo info;
  if (format) {
    set_format(*format, info);
    info.width = header.width;
    info.height = header.height;
    info.depth = std::max(1U, header.depth);
    info.layers = std::max(1U, header.layers);
    rules.check("vkFormat is a format", true);
  } else {
    rules.skip("vkFormat is a format",
               "number " + std::to_string(header.vk_format) + " is none that this program knows");
  }
  check_extents(header, format.has_value(), rules);
  constexpr uint32_t kMostLevels = 32;
  const uint32_t level_count = std::max(1U, header.levels);
  std::vector<Level> levels;
  if (level_count <= kMostLevels) {
    levels = ktx2::read_level_index(reader, level_count);
  }
  if (!rules.check("the level index is complete", level_count <= kMostLevels && reader.ok())) {
    return rules;
  }
  const TextureInfo* const known = format ? &info : nullptr;
  check_descriptor(header, known, bytes, rules);
  check_key_values(header, bytes, rules);
  const bool has_no_global = header.global_data.length == 0 && header.global_data.offset == 0;
  rules.check("only BasisLZ has global data", has_no_global || header.scheme == 1,
              place_of(header.global_data));
  check_levels({header, known, bytes, budget}, levels, rules);
  return rules;
}

}  // namespace tessera
