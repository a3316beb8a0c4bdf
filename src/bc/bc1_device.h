// What BC1 asks of kernels on a device, whatever kind it is.
#pragma once

#include <span>

#include "base/bytes.h"
#include "bc/bc1_presets.h"
#include "exec/backend.h"
#include "exec/device.h"
#include "image/image.h"

namespace tessera {

// Bytes and pixels are those of the CPU for the same settings.
class Bc1Kernels : public DeviceKernels {
 public:
  // All slices of an RGBA8 image. `out` has the size of its blocks. `threads` copy.
  virtual Status encode(const ImageView& image, const bc1::Settings& settings, Backend& threads,
                        std::span<uint8_t> out, const RunControl& control) = 0;

  // One slice of an RGBA8 image.
  virtual Status decode(ByteSpan blocks, bc1::Rounding rounding, Backend& threads,
                        const MutableImageView& image, const RunControl& control) = 0;

  // A picture that is on the device already, into memory of the device: queues the work on the
  // caller's stream or queue and returns at once. `blocks` receives 8 bytes per block.
  virtual Status encode_resident(const DeviceImage& image, const bc1::Settings& settings,
                                 void* blocks, void* stream) = 0;
};

}  // namespace tessera
