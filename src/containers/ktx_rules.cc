// Goes through the rules of .ktx files of version 1.
#include <algorithm>

#include "base/mip_levels.h"
#include "containers/container_rules.h"
#include "containers/ktx2_keys.h"
#include "containers/ktx_file.h"
#include "containers/ktx_header.h"
#include "containers/texture.h"

namespace tessera {
namespace {

using ktx::Header;
using ktx::kHeaderBytes;
using ktx::kSizeBytes;

void check_fields(const Header& header, RuleList& rules) {
  const std::string size = std::to_string(header.width) + "x" + std::to_string(header.height) +
                           "x" + std::to_string(header.depth);
  const bool is_compressed = header.gl_type == 0;
  rules.check("glFormat is 0 for compressed textures, as glType is, and not for others",
              is_compressed == (header.gl_format == 0), std::to_string(header.gl_format));
  rules.check("glTypeSize of compressed textures is 1", !is_compressed || header.gl_type_size == 1,
              std::to_string(header.gl_type_size));
  rules.check("pixelWidth is not 0", header.width != 0, size);
  rules.check("pixelHeight is not 0 where there is a depth or a compressed format",
              header.height != 0 || (header.depth == 0 && !is_compressed), size);
  rules.check("numberOfFaces is 1, or 6 for cube maps",
              header.faces == 1 || header.faces == kCubeFaces, std::to_string(header.faces));
  rules.check("faces of cube maps are square and have no depth",
              header.faces != kCubeFaces || (header.width == header.height && header.depth <= 1),
              size);
  rules.check("numberOfMipmapLevels is not more than the levels down to one texel",
              header.levels <= mip_level_count(header.width, header.height, header.depth),
              std::to_string(header.levels));
}

// False where the levels cannot be found behind the texts.
bool check_key_values(const Header& header, ByteSpan bytes, RuleList& rules) {
  const uint32_t length = header.key_value_bytes;
  rules.check("bytesOfKeyValueData is a multiple of 4", length % 4 == 0, std::to_string(length));
  if (!rules.check("the key/value data lies within the file", length <= bytes.size() - kHeaderBytes,
                   std::to_string(length) + " bytes")) {
    return false;
  }
  constexpr const char* kPairs = "the key/value data is made of pairs of a key and a value";
  const auto keys =
      read_stored_ktx_keys(bytes.subspan(kHeaderBytes, length), header.is_swapped(), "the file");
  if (!keys && keys.error().code == ErrorCode::kUnsupported) {
    rules.skip(kPairs, keys.error().message);  // a limit of ours
    return true;
  }
  rules.check(kPairs, keys.ok(), keys ? "" : keys.error().message);
  for (const TextureKey& key : keys ? keys->keys : std::vector<TextureKey>()) {
    if (key.name == kOrientationKey) {
      rules.check("KTXorientation has a letter for each side, such as S=r,T=d",
                  !letters_of_ktx_orientation(key).empty(), shown_value(key.value));
    }
  }
  return true;
}

void check_levels(const Header& header, const TextureInfo& info, ByteSpan bytes, RuleList& rules) {
  constexpr uint32_t kMostLevels = 32;
  uint64_t position = uint64_t{kHeaderBytes} + header.key_value_bytes;
  for (uint32_t number = 0; number < std::clamp(header.levels, 1U, kMostLevels); ++number) {
    const std::string what = "level " + std::to_string(number) + ": ";
    const auto length = level_bytes(info, number);
    const uint64_t left = bytes.size() - position;
    if (!rules.check(what + "its bytes lie within the file",
                     length && left >= kSizeBytes && *length <= left - kSizeBytes,
                     std::to_string(left) + " bytes are left")) {
      return;
    }
    const auto stored = ByteReader(bytes.subspan(static_cast<size_t>(position))).read<uint32_t>();
    const uint32_t size = header.is_swapped() ? ktx::swapped_bytes(stored) : stored;
    rules.check(what + "imageSize is that of its blocks", size == ktx_size_field(info, *length),
                std::to_string(size));
    position += kSizeBytes + *length;
  }
  rules.check("nothing follows the last level", position == bytes.size(),
              std::to_string(bytes.size() - position) + " bytes");
}

}  // namespace

RuleList check_ktx_rules(ByteSpan bytes) {
  RuleList rules;
  if (!rules.check("the file begins with the identifier", is_ktx_file(bytes)) ||
      !rules.check("the header is complete", bytes.size() >= kHeaderBytes,
                   std::to_string(bytes.size()) + " bytes")) {
    return rules;
  }
  ByteReader reader(bytes.subspan(ktx::kIdentifier.size()));
  const Header header = ktx::read_header(reader);
  if (!rules.check("endianness is 0x04030201 in one of the byte orders",
                   header.byte_order == ktx::kByteOrder || header.is_swapped(),
                   std::to_string(header.byte_order))) {
    return rules;
  }
  check_fields(header, rules);
  const bool has_levels = check_key_values(header, bytes, rules);
  const auto format = find_gl_format(header.internal_format);
  const bool is_known = format && header.gl_type == 0 && header.faces >= 1 &&
                        header.elements <= UINT32_MAX / std::max(1U, header.faces);
  if (has_levels && is_known) {
    check_levels(header, ktx_info(header, *format), bytes, rules);
  } else {
    rules.skip("the bytes after the header are those of the levels",
               "glInternalFormat " + std::to_string(header.internal_format) +
                   ", or texts that go beyond the file");
  }
  return rules;
}

}  // namespace tessera
