// The HDR endpoint modes, whose values share their bits in many ways. Used by color_endpoints.cc.
#pragma once

#include <cstdint>

#include "astc/format/color_endpoints.h"

namespace tessera::astc {

// `mode` must be an HDR mode.
EndpointPair decode_hdr_endpoints(EndpointMode mode, const uint8_t* values);

}  // namespace tessera::astc
