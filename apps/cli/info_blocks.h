// What the blocks of an ASTC texture are: statistics of all, or one explained.
#pragma once

#include <string>

#include "base/result.h"
#include "containers/texture.h"
#include "report_json.h"

namespace tessera::cli {

// Statistics of the largest mip level.
Result<Json> block_statistics_json(const Texture& texture, const std::string& name);

// The block at "X,Y" or "X,Y,Z", in blocks.
Result<Json> block_json(const Texture& texture, const std::string& position,
                        const std::string& name);

// The same as text.
void print_block_statistics(const Json& statistics);
void print_block(const Json& block);

}  // namespace tessera::cli
