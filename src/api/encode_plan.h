// Options of encoding as the caller gives them, turned into the pipeline's plan.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "codec/options.h"
#include "codec/pipeline.h"
#include "tessera/tessera.h"

namespace tessera::api {

// Options by name that belong to no format alone: shared settings and containers.
std::span<const OptionDescriptor> common_encode_options();

// Whether an option is a target or a limit, for formats with several block sizes.
bool is_goal_option(std::string_view key);

Result<OptionList> read_option_list(const tessera_option* options, size_t count);

// A plan whose codec, settings and container go together.
Result<EncodePlan> read_encode_plan(const tessera_encode_options* given);

}  // namespace tessera::api
