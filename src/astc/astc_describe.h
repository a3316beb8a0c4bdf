// ASTC textures for people: what their blocks are made of, as JSON.
#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"
#include "codec/block_map.h"
#include "containers/texture.h"

namespace tessera {

// Statistics of the largest mip level.
Json describe_astc_blocks(const Texture& texture);
// The kind of each block.
BlockMap map_astc_blocks(const Texture& texture);

// The block at "X,Y" or "X,Y,Z", in blocks. `name` is used in messages.
Result<Json> describe_astc_block(const Texture& texture, const std::string& position,
                                 const std::string& name);

}  // namespace tessera
