// ASTC for the pipeline.
#pragma once

#include "astc/format/block_size.h"
#include "codec/codec.h"

namespace tessera {

const Codec& astc_codec();

// A container's block size as the format's own type.
astc::BlockSize to_astc(const BlockSize& block);

}  // namespace tessera
