// Standard input, output and error of the process.
#pragma once

#include "base/result.h"

namespace tessera::cli {

// Puts /dev/null in the place of each standard stream that is closed. Otherwise the first files
// that the process opens would get their numbers, and what is meant for a terminal would end up in
// them. To be called before any file is opened.
Status open_missing_standard_streams();

}  // namespace tessera::cli
