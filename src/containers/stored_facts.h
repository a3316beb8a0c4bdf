// What a texture file says of itself in numbers, for people who look for what is wrong with one.
#pragma once

#include <optional>

#include "base/bytes.h"
#include "base/json.h"
#include "containers/texture.h"

namespace tessera {

// Of the beginning of a file that has been read as such a container. Of .ktx2: the number of its
// format, its supercompression, its descriptor and its level table; of .dds: the codes of its
// format.
std::optional<Json> stored_facts(ByteSpan head, ContainerType type);

}  // namespace tessera
