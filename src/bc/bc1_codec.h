// BC1 for the pipeline.
#pragma once

#include "codec/codec.h"

namespace tessera {

const Codec& bc1_codec();

}  // namespace tessera
