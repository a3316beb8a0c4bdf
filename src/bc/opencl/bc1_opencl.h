// BC1 on an OpenCL device: images in and blocks out, or the other way round. Bytes are those of the
// CPU for the same settings.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/bytes.h"
#include "bc/bc1_device.h"
#include "bc/bc1_presets.h"
#include "exec/backend.h"
#include "exec/opencl/opencl_session.h"
#include "image/image.h"

namespace tessera {

// RGBA8 pixels that are on the device already.
struct ResidentImage {
  _cl_mem* pixels = nullptr;
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t row_bytes = 0;  // from a row to the next, a multiple of 4
};

// Keeps its buffers between images. Not for several threads at once.
class Bc1OpenCl : public Bc1Kernels {
 public:
  explicit Bc1OpenCl(OpenClSession& session);
  ~Bc1OpenCl() override;

  // Strips go through two queues, so that one strip is copied while the other is encoded.
  Status encode(const ImageView& image, const bc1::Settings& settings, std::span<uint8_t> out,
                const RunControl& control) override;
  Status decode(ByteSpan blocks, bc1::Rounding rounding, const MutableImageView& image) override;

  // What is on the device is compressed there: queues the work on the caller's queue, which must
  // belong to the session's context, and returns at once. `blocks` receives 8 bytes per block.
  Status encode_resident(const ResidentImage& image, const bc1::Settings& settings, _cl_mem* blocks,
                         _cl_command_queue* queue);

 private:
  struct Slots;
  OpenClSession& session_;
  std::unique_ptr<Slots> slots_;
};

std::unique_ptr<DeviceKernels> make_bc1_opencl(OpenClSession& session);

}  // namespace tessera
