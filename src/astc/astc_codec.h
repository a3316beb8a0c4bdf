// ASTC for the pipeline.
#pragma once

#include "codec/codec.h"

namespace tessera {

const Codec& astc_codec();

}  // namespace tessera
