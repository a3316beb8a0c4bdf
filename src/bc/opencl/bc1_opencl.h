// BC1 on an OpenCL device: images in and blocks out, or the other way round. Bytes are those of the
// CPU for the same settings.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "base/bytes.h"
#include "bc/bc1_device.h"
#include "bc/bc1_presets.h"
#include "exec/backend.h"
#include "exec/opencl/opencl_session.h"
#include "image/image.h"

namespace tessera {

// Keeps its buffers between images. Threads wait for each other.
class Bc1OpenCl : public Bc1Kernels {
 public:
  explicit Bc1OpenCl(OpenClSession& session);
  ~Bc1OpenCl() override;

  // Strips go through two queues, so that one strip is copied while the other is encoded.
  Status encode(const ImageView& image, const bc1::Settings& settings, Backend& threads,
                std::span<uint8_t> out, const RunControl& control) override;
  Status decode(ByteSpan blocks, bc1::Rounding rounding, Backend& threads,
                const MutableImageView& image, const RunControl& control) override;
  // Texels and blocks are a cl_mem, the stream is a cl_command_queue, all of the session's context.
  Status encode_resident(const DeviceImage& image, const bc1::Settings& settings, void* blocks,
                         void* stream) override;

 private:
  struct Slots;

  Status encode_strips(const ImageView& image, const bc1::Settings& settings, Backend& threads,
                       std::span<uint8_t> out, const RunControl& control);
  Status decode_blocks(ByteSpan blocks, bc1::Rounding rounding, Backend& threads,
                       const MutableImageView& image);

  OpenClSession& session_;
  std::mutex in_use_;
  std::unique_ptr<Slots> slots_;
};

std::unique_ptr<DeviceKernels> make_bc1_opencl(OpenClSession& session);

}  // namespace tessera
