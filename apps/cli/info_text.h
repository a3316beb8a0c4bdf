// Descriptions of files, which the library gives as JSON, as text for people.
#pragma once

#include "client.h"

namespace tessera::cli {

void print_description(const Json& object);

}  // namespace tessera::cli
