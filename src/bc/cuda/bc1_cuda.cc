// BC1 on a CUDA device: strips in, blocks out, and back.
#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "base/bytes.h"
#include "bc/bc1_device.h"
#include "bc/bc1_format.h"
#include "bc/cuda/kernels.h"
#include "bc/device/bc1_tables.h"
#include "exec/cuda/block_strips.h"
#include "exec/cuda/cuda_device.h"
#include "exec/cuda/cuda_memory.h"
#include "exec/cuda/cuda_strips.h"
#include "exec/cuda/lease_pool.h"

namespace tessera {
namespace {

constexpr size_t kPicturesAtOnce = 4;
constexpr size_t kRowAlignment = 16;  // a block's row is one load of 16 bytes

bc1::PictureShape shape_of(uint32_t width, uint32_t height, size_t row_bytes, const void* texels) {
  bc1::PictureShape shape;
  shape.row_bytes = row_bytes;
  shape.width = width;
  shape.height = height;
  shape.has_aligned_rows =
      row_bytes % kRowAlignment == 0 && reinterpret_cast<uintptr_t>(texels) % kRowAlignment == 0;
  shape.across = static_cast<uint32_t>(divide_round_up(width, bc1::kBlockSide));
  shape.blocks = shape.across * static_cast<uint32_t>(divide_round_up(height, bc1::kBlockSide));
  return shape;
}

class Bc1Cuda : public Bc1Kernels {
 public:
  explicit Bc1Cuda(std::shared_ptr<CudaDevice> device)
      : device_(std::move(device)),
        runners_(kPicturesAtOnce, [] { return std::make_unique<CudaStripRunner>(); }) {}

  Status encode(const ImageView& image, const bc1::Settings& settings, Backend& threads,
                std::span<uint8_t> out, const RunControl& control) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    TESSERA_ASSIGN_OR_RETURN(const int32_t* tables, tables_for(settings.rounding));
    const BlockStrips strips = strips_of(image.info);
    CudaStripWork work =
        strips.texels_to_blocks(image.data, {image.row_stride, image.slice_stride}, out.data());
    work.launch = [&](size_t number, const uint8_t* texels, uint8_t* blocks, cudaStream_t stream) {
      return launch_encoding(
          shape_of(image.info.width, strips.texel_rows(number), strips.row_bytes(), texels), texels,
          settings, tables, blocks, stream);
    };
    return runners_.take()->run(work, threads, control);
  }

  Status decode(ByteSpan blocks, bc1::Rounding rounding, Backend& threads,
                const MutableImageView& image, const RunControl& control) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    const BlockStrips strips = strips_of(image.info);
    CudaStripWork work =
        strips.blocks_to_texels(blocks.data(), image.data, {image.row_stride, image.slice_stride});
    work.launch = [&](size_t number, const uint8_t* in, uint8_t* texels, cudaStream_t stream) {
      bc1::decode_blocks(
          in, rounding,
          shape_of(image.info.width, strips.texel_rows(number), strips.row_bytes(), texels), texels,
          stream);
      return started();
    };
    return runners_.take()->run(work, threads, control);
  }

  Status encode_resident(const DeviceImage& image, const bc1::Settings& settings, void* blocks,
                         void* stream) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    TESSERA_ASSIGN_OR_RETURN(const int32_t* tables, tables_for(settings.rounding));
    return launch_encoding(shape_of(image.width, image.height, image.row_bytes, image.texels),
                           static_cast<const uint8_t*>(image.texels), settings, tables, blocks,
                           static_cast<cudaStream_t>(stream));
  }

 private:
  static BlockStrips strips_of(const ImageInfo& info) {
    return BlockStrips({info.width, info.height, info.slices()},
                       {bc1::kBlockSide, bc1::kBlockSide, 1}, bc1::kBlockBytes);
  }
  static Status started() { return cuda_status(cudaGetLastError(), "cannot start a kernel"); }

  static Status launch_encoding(const bc1::PictureShape& shape, const uint8_t* texels,
                                const bc1::Settings& settings, const int32_t* tables, void* blocks,
                                cudaStream_t stream) {
    if (!bc1::encode_with_preset(shape, texels, settings, tables, blocks, stream)) {
      bc1::encode_with_any_settings(shape, texels, settings, tables, blocks, stream);
    }
    return started();
  }

  Result<const int32_t*> tables_for(bc1::Rounding rounding) {
    const std::lock_guard lock(tables_mutex_);
    CudaDeviceBuffer& buffer = tables_[static_cast<size_t>(rounding)];
    if (buffer.bytes() == 0) {
      const std::vector<int32_t> values = bc1::kernel_tables(rounding);
      CudaDeviceBuffer filled;
      TESSERA_RETURN_IF_ERROR(
          fill_with_tables(values.data(), values.size() * sizeof values[0], filled));
      buffer = std::move(filled);
    }
    return buffer.as<const int32_t>();
  }

  std::shared_ptr<CudaDevice> device_;
  std::mutex tables_mutex_;
  std::array<CudaDeviceBuffer, bc1::kRoundingNames.size()> tables_;
  LeasePool<CudaStripRunner> runners_;
};

}  // namespace

std::unique_ptr<DeviceKernels> make_bc1_cuda(std::shared_ptr<CudaDevice> device);
std::unique_ptr<DeviceKernels> make_bc1_cuda(std::shared_ptr<CudaDevice> device) {
  return std::make_unique<Bc1Cuda>(std::move(device));
}

}  // namespace tessera
