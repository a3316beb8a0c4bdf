// Where the payloads of mip levels lie in a file that is not compressed further.
#pragma once

#include <vector>

#include "base/bytes.h"
#include "base/json.h"
#include "base/result.h"
#include "containers/texture.h"
#include "containers/texture_file.h"

namespace tessera::web {

struct LevelPlace {
  uint32_t width = 0;
  uint32_t height = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// Of a texture's bare blocks, the largest level first.
Result<std::vector<LevelPlace>> bare_levels(const TextureInfo& info, uint32_t level_count);

// The same in a file of the container with these levels.
std::vector<LevelPlace> place_levels(std::vector<LevelPlace> levels, ContainerType container,
                                     ByteSpan file);

Json levels_json(const std::vector<LevelPlace>& levels);

}  // namespace tessera::web
