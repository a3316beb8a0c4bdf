// The codes that stand for a group's trits or quints, as tables that lanes can
// gather from. The index is the sum of digit · 3^position (243 entries) or
// digit · 5^position (125).
#pragma once

#include <array>
#include <cstdint>

namespace tessera::astc {

// Made at first use.
const std::array<int32_t, 243>& trit_codes();
const std::array<int32_t, 125>& quint_codes();

}  // namespace tessera::astc
