// An ASTC encoder whose blocks are then made to repeat each other, for textures that are compressed
// further.
#pragma once

#include <memory>

#include "astc/decode/decode_mode.h"
#include "astc/encode/repeat_blocks.h"
#include "base/result.h"
#include "codec/codec.h"

namespace tessera {

// `share` is lambda as a part of the picture's mean squared error of a texel: what is little for
// one picture is much for another. The encoder must be one whose facts tell that error.
// kUnsupported where the encoder takes other texels than four 8-bit channels, or has 3D blocks.
Result<std::unique_ptr<Encoder>> make_repeating_encoder(
    std::unique_ptr<BlockEncoder> encoder, BlockSize block, astc::DecodeMode mode, float share,
    const std::array<float, 4>& channel_weights);

}  // namespace tessera
