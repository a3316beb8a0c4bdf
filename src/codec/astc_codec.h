// ASTC for the pipeline: block rows spread over a backend.
#pragma once

#include "codec/codec.h"

namespace tessera {

const Codec& astc_codec();

}  // namespace tessera
