// The settings of a plan as options of the command, for people who look at a texture later.
#pragma once

#include <string>

#include "codec/pipeline.h"

namespace tessera {

// "--format astc --block 6x6 --preset fast --as normal". What has its default value is left out,
// but for the block size and the preset; so is where and by how many threads the work is done.
std::string settings_text(const EncodePlan& plan);

}  // namespace tessera
