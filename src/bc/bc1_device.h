// What BC1 asks of kernels on a device, whatever kind it is.
#pragma once

#include <span>

#include "base/bytes.h"
#include "bc/bc1_presets.h"
#include "exec/backend.h"
#include "exec/device.h"
#include "image/image.h"

namespace tessera {

// Bytes and pixels are those of the CPU for the same settings. Not for several threads at once.
class Bc1Kernels : public DeviceKernels {
 public:
  // All slices of an RGBA8 image. `out` has the size of its blocks.
  virtual Status encode(const ImageView& image, const bc1::Settings& settings,
                        std::span<uint8_t> out, const RunControl& control) = 0;

  // One slice of an RGBA8 image.
  virtual Status decode(ByteSpan blocks, bc1::Rounding rounding, const MutableImageView& image) = 0;
};

}  // namespace tessera
