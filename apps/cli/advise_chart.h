// The chart of tessera advise.
#pragma once

#include <string>

#include "client.h"

namespace tessera::cli {

// Quality over bits per pixel, a dot for each block size, as SVG. `advice` is what the library
// tells (tessera_advise); `title` is the name of the picture.
std::string advice_chart(const Json& advice, const std::string& title);

}  // namespace tessera::cli
