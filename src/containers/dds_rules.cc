// Goes through the rules of .dds files.
#include <algorithm>

#include "base/mip_levels.h"
#include "containers/container_rules.h"
#include "containers/dds_header.h"
#include "containers/dds_numbers.h"
#include "containers/texture.h"

namespace tessera {
namespace {

using namespace dds;  // NOLINT(google-build-using-namespace)

constexpr uint32_t kCapsOfLevels = kCapsComplex | kCapsMipMap;

// What is known of the format and the layers.
struct Kind {
  NumberedFormat format;
  uint32_t layers = 1;  // with the faces of cube maps
  bool is_cube = false;
  bool is_volume = false;
};

// By the DX10 header.
std::optional<Kind> check_dx10(ByteReader& reader, RuleList& rules) {
  const auto number = reader.read<uint32_t>();
  const auto dimension = reader.read<uint32_t>();
  const bool is_cube = (reader.read<uint32_t>() & kMiscCubeMap) != 0;
  const auto array_size = reader.read<uint32_t>();
  const auto misc = reader.read<uint32_t>();
  if (!rules.check("the DX10 header is complete", reader.ok())) {
    return std::nullopt;
  }
  rules.check("resourceDimension is 2, 3 or 4", dimension >= 2 && dimension <= 4,
              std::to_string(dimension));
  rules.check("arraySize is not 0", array_size != 0);
  rules.check("miscFlags2 is a way of alpha, 0 to 4", misc <= 4, std::to_string(misc));
  rules.check("cube maps have the resourceDimension 3", !is_cube || dimension == 3,
              std::to_string(dimension));
  const bool is_volume = dimension == kDimension3d;
  rules.check("volumes have the arraySize 1", !is_volume || array_size == 1,
              std::to_string(array_size));
  const auto format = find_dxgi_format(number);
  if (!format || (dimension != kDimension2d && !is_volume) ||
      array_size > UINT32_MAX / kCubeFaces) {
    rules.skip("the bytes after the header are those of the levels",
               "DXGI format " + std::to_string(number) + ", or one side alone");
    return std::nullopt;
  }
  return Kind{*format, array_size * (is_cube ? kCubeFaces : 1), is_cube, is_volume};
}

std::optional<Kind> kind_of(const Header& header, ByteReader& reader, RuleList& rules) {
  if (header.pixel_format_code == kFourCcDx10 &&
      (header.pixel_format_flags & kPixelFormatFourCc) != 0) {
    return check_dx10(reader, rules);
  }
  for (const FormatRow& row : format_table()) {
    if (row.dds_four_cc != 0 && row.dds_four_cc == header.pixel_format_code) {
      const bool is_cube = (header.caps2 & kCaps2CubeMap) != 0;
      const auto faces = static_cast<uint32_t>(std::popcount(header.caps2 & kCaps2AllFaces));
      return Kind{{&row, row.default_block, Profile::kLdr},
                  is_cube ? faces : 1,
                  is_cube,
                  (header.caps2 & kCaps2Volume) != 0};
    }
  }
  rules.skip("the bytes after the header are those of the levels", "the format is not known");
  return std::nullopt;
}

// 0 for levels that cannot be.
uint64_t size_of(const TextureInfo& info, uint32_t level) {
  const auto bytes = level_bytes(info, level);
  return bytes ? *bytes : 0;
}

void check_levels(const Header& header, const Kind& kind, uint64_t rest, RuleList& rules) {
  TextureInfo info;
  set_format(kind.format, info);
  info.width = header.width;
  info.height = header.height;
  info.depth = kind.is_volume ? std::max(1U, header.depth) : 1;
  const uint32_t most = mip_level_count(info.width, info.height, info.depth);
  uint64_t total = 0;
  for (uint32_t level = 0; level < std::clamp(header.mip_levels, 1U, most); ++level) {
    const uint64_t size = size_of(info, level);
    total = size > UINT64_MAX - total ? UINT64_MAX : total + size;
  }
  const auto expected = checked_multiply(total, kind.layers);
  rules.check("the bytes after the header are those of the levels", expected == rest,
              std::to_string(rest) + " bytes, not " +
                  (expected ? std::to_string(*expected) : "more than 2^64"));
  if ((header.flags & kFlagLinearSize) != 0) {
    const uint64_t first = size_of(info, 0);  // of volumes, writers tell that of a slice, too
    rules.check("dwPitchOrLinearSize is the size of the largest level",
                header.linear_size == first || header.linear_size == first / info.depth,
                std::to_string(header.linear_size));
  } else {
    rules.check("DDSD_LINEARSIZE is set for compressed textures", false);
  }
}

}  // namespace

RuleList check_dds_rules(ByteSpan bytes) {
  RuleList rules;
  ByteReader reader(bytes);
  const auto magic = reader.read<uint32_t>();
  const Header header = read_header(reader);
  if (!rules.check("the file begins with 'DDS '", magic == kMagic) ||
      !rules.check("the header is complete", reader.ok(),
                   std::to_string(bytes.size()) + " bytes")) {
    return rules;
  }
  rules.check("dwSize is 124", header.size == 124, std::to_string(header.size));
  rules.check("dwSize of the pixel format is 32", header.pixel_format_size == 32,
              std::to_string(header.pixel_format_size));
  rules.check("DDSD_CAPS, HEIGHT, WIDTH and PIXELFORMAT are set",
              (header.flags & kFlagsRequired) == kFlagsRequired);
  rules.check("DDSCAPS_TEXTURE is set", (header.caps & kCapsTexture) != 0);
  rules.check("no side is 0", header.width != 0 && header.height != 0,
              std::to_string(header.width) + "x" + std::to_string(header.height));
  rules.check(
      "dwMipMapCount is not more than the levels down to one texel",
      header.mip_levels <= mip_level_count(header.width, header.height, std::max(1U, header.depth)),
      std::to_string(header.mip_levels));
  rules.check("mip levels are told by DDSD_MIPMAPCOUNT and by the caps",
              header.mip_levels <= 1 || ((header.flags & kFlagMipMapCount) != 0 &&
                                         (header.caps & kCapsOfLevels) == kCapsOfLevels));
  const auto kind = kind_of(header, reader, rules);
  if (kind && kind->is_cube) {
    rules.check("faces of cube maps are square", header.width == header.height,
                std::to_string(header.width) + "x" + std::to_string(header.height));
    rules.check("DDSCAPS_COMPLEX, DDSCAPS2_CUBEMAP and all of its faces are told by the caps",
                (header.caps & kCapsComplex) != 0 && (header.caps2 & kCaps2CubeMap) != 0 &&
                    (header.caps2 & kCaps2AllFaces) == kCaps2AllFaces);
  }
  if (kind && kind->is_volume) {
    rules.check("volumes have a depth, which DDSD_DEPTH tells",
                header.depth != 0 && (header.flags & kFlagDepth) != 0,
                std::to_string(header.depth));
    rules.check("DDSCAPS_COMPLEX and DDSCAPS2_VOLUME are told by the caps",
                (header.caps & kCapsComplex) != 0 && (header.caps2 & kCaps2Volume) != 0);
  }
  if (kind) {
    check_levels(header, *kind, bytes.size() - reader.position(), rules);
  }
  return rules;
}

}  // namespace tessera
