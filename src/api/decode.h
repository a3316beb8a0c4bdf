// Files in memory as pixels, for calls that have bytes and for calls that have paths.
#pragma once

#include <string>

#include "api/context.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "codec/codec.h"
#include "exec/backend.h"
#include "tessera/tessera.h"

namespace tessera::api {

// How a file is called in messages: "-" is standard input, NULL "the data".
std::string display_name(const char* name);

struct DecodeRequest {
  DecodeOptions options;
  uint32_t level = 0;
};
Result<DecodeRequest> read_decode_options(const tessera_decode_options* given);

struct Decoded {
  Image image;
  tessera_file_info info = {};
};
// A texture, fractal image or picture.
Result<Decoded> decode_any(ByteSpan bytes, const std::string& name, const DecodeRequest& request,
                           Backend& backend, const RunControl& control, const ReadBudget& budget);

// What the header says.
Result<tessera_file_info> inspect_any(ByteSpan bytes, const std::string& name);

}  // namespace tessera::api
