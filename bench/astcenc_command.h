// The astcenc command (Debian: astcenc), run as a process with one thread. Times are its own:
// coding or decoding alone, without start-up and files.
#pragma once

#include <string>

#include "base/preset.h"
#include "base/result.h"
#include "containers/texture.h"

namespace tessera::bench {

const char* astcenc_quality(Preset preset);  // "-fast"

// Both return seconds.
Result<double> astcenc_encode(const std::string& picture, const std::string& astc_file,
                              const BlockSize& block, Preset preset);
Result<double> astcenc_decode(const std::string& astc_file, const std::string& picture);

}  // namespace tessera::bench
