// Sizes of textures.
#include "containers/texture.h"

#include <algorithm>

#include "base/mip_levels.h"

namespace tessera {

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
  const uint64_t across = divide_round_up(mip_extent(info.width, level), info.block.width);
  const uint64_t down = divide_round_up(mip_extent(info.height, level), info.block.height);
  const uint64_t deep = divide_round_up(mip_extent(info.depth, level), info.block.depth);
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

uint64_t slice_count(const TextureInfo& info, uint32_t level) {
  return uint64_t{mip_extent(info.depth, level)} * info.layers;
}

Result<SlicePart> part_of_slice(const TextureInfo& info, uint32_t level, uint32_t slice) {
  const uint32_t depth = mip_extent(info.depth, level);
  const uint32_t layer = slice / depth;
  const uint32_t block_layer = slice % depth / info.block.depth;
  const uint32_t first = block_layer * info.block.depth;
  const uint32_t part_depth = std::min(info.block.depth, depth - first);
  SlicePart part;
  part.info = info;
  part.info.layers = 1;
  part.info.faces = 1;
  part.info.depth = part_depth == 1 ? 1 : part_depth << level;
  TESSERA_ASSIGN_OR_RETURN(part.length, level_bytes(part.info, level));
  const uint64_t block_layers = divide_round_up(depth, info.block.depth);
  part.offset = (layer * block_layers + block_layer) * part.length;
  part.slice = slice % depth - first;
  return part;
}

}  // namespace tessera
