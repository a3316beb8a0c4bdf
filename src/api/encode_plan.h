// Options of encoding as the caller gives them, turned into the pipeline's plan.
#pragma once

#include <span>

#include "base/result.h"
#include "codec/options.h"
#include "codec/pipeline.h"
#include "tessera/tessera.h"

namespace tessera::api {

// Options by name that belong to no format alone: shared settings and containers.
std::span<const OptionDescriptor> common_encode_options();

Result<OptionList> read_option_list(const tessera_option* options, size_t count);

// A plan whose codec, settings and container go together.
Result<EncodePlan> read_encode_plan(const tessera_encode_options* given);

}  // namespace tessera::api
