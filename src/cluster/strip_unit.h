// A strip of an image as a unit of work: what its message says, and encoding it on another rank.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "cluster/unit_message.h"
#include "codec/codec.h"
#include "containers/texture.h"
#include "exec/backend.h"
#include "image/image.h"

namespace tessera::cluster {

inline constexpr uint32_t kStripKind = 1;  // of units

// The fields of a strip's unit.
std::array<uint64_t, 6> strip_fields(const ImageView& pixels, ImageFacts facts, bool srgb);
// Padding between rows is sent along: one message from where the pixels are is cheaper than a copy.
// A strip of several slices has no padding between slices.
size_t strip_message_bytes(const ImageView& pixels);

// What a strip's message says about its pixels, checked against the encoder and the message's size.
struct StripShape {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth = 1;
  size_t row_stride = 0;  // rows of a slice follow those of the one before
  ImageFacts facts = 0;   // of the whole image
};
// Whether the strip is a part of an sRGB texture.
bool is_srgb_strip(const UnitHeader& header);
Result<StripShape> read_strip_shape(const UnitHeader& header, const BlockEncoder& encoder,
                                    const TextureInfo& format);

// Encodes one strip.
Status encode_strip(const UnitHeader& header, ByteSpan input, const BlockEncoder& encoder,
                    const TextureInfo& format, Backend& backend, const RunControl& control,
                    Bytes& output);

// Encodes a small pattern for some milliseconds, so that tables, buffers and kernels that are made
// at first use exist when the first strip comes. Other ranks do this while rank 0 reads the image.
void warm_up(const BlockEncoder& encoder, Backend& backend, const RunControl& control);

}  // namespace tessera::cluster
