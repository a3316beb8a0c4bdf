// What a fractal image (.tsf) is made of.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "report_json.h"

namespace tessera::cli {

Result<Json> describe_fractal(ByteSpan bytes, const std::string& name);
void print_fractal(const Json& object);

}  // namespace tessera::cli
