// An ASTC encoder whose blocks are then made to repeat each other, for textures that are compressed
// further.
#pragma once

#include <memory>

#include "astc/decode/decode_mode.h"
#include "astc/encode/repeat_blocks.h"
#include "base/result.h"
#include "codec/codec.h"

namespace tessera {

// How much is repeated: either is 0.
struct RepeatAmount {
  // Lambda in percent of the picture's mean squared error of a texel: what is little for one
  // picture is much for another.
  float number = 0;
  // About how much of the bits is to be left; the number is chosen for each texture.
  float size = 0;

  bool any() const { return number > 0 || size > 0; }
};

// `errors` says what errors count; its lambda is not used. The encoder must be one whose facts tell
// the picture's error in 32 bits. kUnsupported where the encoder takes other texels than four 8-bit
// channels, or has 3D blocks.
Result<std::unique_ptr<Encoder>> make_repeating_encoder(std::unique_ptr<BlockEncoder> encoder,
                                                        BlockSize block, astc::DecodeMode mode,
                                                        RepeatAmount amount,
                                                        const astc::RepeatSettings& errors);

}  // namespace tessera
