// What ASTC asks of kernels on a device, whatever kind it is.
#pragma once

#include <span>

#include "astc/decode/decode_mode.h"
#include "astc/encode/effort_plan.h"
#include "astc/encode/presets.h"
#include "astc/fgac/fgac_block-inl.h"
#include "base/bytes.h"
#include "exec/backend.h"
#include "exec/device.h"
#include "image/image.h"

namespace tessera {

// Bytes are those of the CPU for the same settings.
class AstcKernels : public DeviceKernels {
 public:
  // All slices of an RGBA8 image, or of some block rows of it, with the facts of the whole. `out`
  // has the size of its blocks. `threads` copy.
  virtual Status encode(const ImageView& image, BlockSize block,
                        const astc::EncodeSettings& settings, const astc::PictureFacts& facts,
                        Backend& threads, std::span<uint8_t> out, const RunControl& control) = 0;

  // A picture that is on the device already, into memory of the device, on the caller's stream or
  // queue. When the call returns, the last of the work may still be at it there.
  virtual Status encode_resident(const DeviceImage& image, BlockSize block,
                                 const astc::EncodeSettings& settings, void* blocks,
                                 void* stream) = 0;

  // The same by the method fgac.
  virtual Status encode_fgac(const ImageView& /*image*/, const astc::FgacSettings& /*settings*/,
                             Backend& /*threads*/, std::span<uint8_t> /*out*/,
                             const RunControl& /*control*/) {
    return unsupported_error("the device has no kernels for the method fgac");
  }
  virtual Status encode_fgac_resident(const DeviceImage& /*image*/,
                                      const astc::FgacSettings& /*settings*/, void* /*blocks*/,
                                      void* /*stream*/) {
    return unsupported_error("the device has no kernels for the method fgac");
  }

  // All slices to RGBA8, of 2D block sizes and all modes but HDR.
  virtual Status decode(ByteSpan blocks, BlockSize block, astc::DecodeMode mode, Backend& threads,
                        const MutableImageView& image, const RunControl& control) = 0;

  // One slice that is on the device already, into memory of the device: queues the work on the
  // stream and returns.
  virtual Status decode_resident(const void* blocks, BlockSize block, astc::DecodeMode mode,
                                 const MutableDeviceImage& image, void* stream) = 0;
};

}  // namespace tessera
