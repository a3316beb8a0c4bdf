// Finds the payloads of mip levels in files.
#include "file_layout.h"

#include <limits>

#include "base/mip_levels.h"

namespace tessera::web {

Result<std::vector<LevelPlace>> bare_levels(const TextureInfo& info, uint32_t level_count) {
  std::vector<LevelPlace> levels;
  uint64_t offset = 0;
  for (uint32_t i = 0; i < level_count; ++i) {
    TESSERA_ASSIGN_OR_RETURN(const uint64_t bytes, level_bytes(info, i));
    levels.push_back({mip_extent(info.width, i), mip_extent(info.height, i), offset, bytes});
    offset += bytes;
    if (!fits_memory(offset)) {
      return failed_error("not enough memory for a texture of " + std::to_string(offset) +
                          " bytes");
    }
  }
  return levels;
}

std::vector<LevelPlace> place_levels(std::vector<LevelPlace> levels, ContainerType container,
                                     ByteSpan file) {
  if (container == ContainerType::kKtx2) {  // its index of levels says it
    constexpr size_t kIndexOffset = 80;
    ByteReader reader(file);
    reader.skip(kIndexOffset);
    for (LevelPlace& level : levels) {
      level.offset = reader.read<uint64_t>();
      reader.skip(2 * sizeof(uint64_t));  // its length, with and without compression
    }
    return levels;
  }
  // The others have a header, then the levels one after the other, the largest first.
  const uint64_t payload = levels.back().offset + levels.back().bytes;
  for (LevelPlace& level : levels) {
    level.offset += file.size() - payload;
  }
  return levels;
}

Json levels_json(const std::vector<LevelPlace>& levels) {
  Json array = Json::Array();
  for (const LevelPlace& level : levels) {
    array.push_back(Json::object({{"width", level.width},
                                  {"height", level.height},
                                  {"byteOffset", level.offset},
                                  {"byteLength", level.bytes}}));
  }
  return array;
}

}  // namespace tessera::web
