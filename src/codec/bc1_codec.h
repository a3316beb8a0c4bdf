// BC1 for the pipeline: block rows spread over a backend.
#pragma once

#include "codec/codec.h"

namespace tessera {

const Codec& bc1_codec();

}  // namespace tessera
