// Sizes of textures.
#include "containers/texture.h"

#include <algorithm>

namespace tessera {
namespace {

uint64_t extent_at_level(uint32_t extent, uint32_t level) {
  return std::max<uint64_t>(1, level < 32 ? extent >> level : 0);
}

}  // namespace

Profile profile_of(const TextureInfo& info) {
  return info.hdr ? Profile::kHdr : (info.srgb ? Profile::kSrgb : Profile::kLdr);
}

void set_format(const NumberedFormat& format, TextureInfo& info) {
  info.format = format.row->format;
  info.block = format.block;
  info.srgb = format.profile == Profile::kSrgb;
  info.hdr = format.profile == Profile::kHdr;
}

std::optional<uint32_t> vulkan_number(const TextureInfo& info) {
  if (info.srgb && info.hdr) {
    return std::nullopt;
  }
  return vulkan_number(format_row(info.format), info.block, profile_of(info));
}

Result<uint64_t> level_bytes(const TextureInfo& info, uint32_t level) {
  const FormatRow& row = format_row(info.format);
  if (row.payload != PayloadKind::kBlocks) {
    return unsupported_error("the size of " + std::string(row.name) +
                             " does not follow from the size of the image");
  }
  const uint64_t across = divide_round_up(extent_at_level(info.width, level), info.block.width);
  const uint64_t down = divide_round_up(extent_at_level(info.height, level), info.block.height);
  const uint64_t deep = divide_round_up(extent_at_level(info.depth, level), info.block.depth);
  uint64_t total = row.block_bytes;
  for (const uint64_t factor : {across, down, deep, uint64_t{info.layers}}) {
    const auto product = checked_multiply(total, factor);
    if (!product) {
      return invalid_error("the texture's size does not fit 64 bits");
    }
    total = *product;
  }
  return total;
}

}  // namespace tessera
