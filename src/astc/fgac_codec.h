// The method fgac for the pipeline.
#pragma once

#include <memory>

#include "base/result.h"
#include "codec/codec.h"

namespace tessera {

// Of settings that have been checked but for what the method cannot do.
Result<std::unique_ptr<Encoder>> make_fgac_encoder(const CodecSettings& settings, BlockSize block);

}  // namespace tessera
