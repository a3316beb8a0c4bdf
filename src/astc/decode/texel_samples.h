// One decoded channel value as a sample of an image.
#pragma once

#include <cstdint>

#include "astc/decode/decode_mode.h"

namespace tessera::astc {

// `value` is a channel of a Texel; the meaning of both ends is described at decode_block_rows.
uint8_t to_u8_sample(uint16_t value, DecodeMode mode);
uint16_t to_u16_sample(uint16_t value, DecodeMode mode);
uint16_t to_f16_sample(uint16_t value, DecodeMode mode);
float to_f32_sample(uint16_t value, DecodeMode mode);

}  // namespace tessera::astc
