// Descriptions of files, which the library gives as JSON, as text for people.
#pragma once

#include "client.h"

namespace tessera::cli {

// `with_header`: the numbers of a texture's header, too, which take some lines.
void print_description(const Json& object, bool with_header);

}  // namespace tessera::cli
