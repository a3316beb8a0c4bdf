// Fractal images for people: header and leaves, as JSON.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/json.h"
#include "base/result.h"

namespace tessera {

// `file` is a whole .tsf file. `name` is used in messages.
Result<Json> describe_fractal_image(ByteSpan bytes, const std::string& name);

}  // namespace tessera
