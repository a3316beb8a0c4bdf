// Which instruction set the kernels run on. The best one that the processor has is chosen at the
// first call of a kernel; these functions name it, list what this machine can run, and restrict the
// choice (for tests and for the environment variable TESSERA_ISA).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tessera {

// The target that kernels run on now, by Highway's name ("AVX3", "AVX2", "SSE4", "NEON", …), or
// "SCALAR" for plain lanes.
std::string active_isa();

// All that this build contains and this machine can run, best first.
std::vector<std::string> available_isas();

// Kernels run on this target from now on; upper or lower case. An empty name means the best one.
// Not to be called while kernels run. Fails when the target is unknown or not available here.
Status restrict_isa(std::string_view name);

// Fails where the processor lacks what all of this build needs.
Status check_processor();

// Applies the environment variable TESSERA_ISA, when it is set.
Status restrict_isa_from_environment();

}  // namespace tessera
