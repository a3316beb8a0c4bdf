// ASTC on a CUDA device, from memory of the host and back, strip by strip; several pictures at once
// where several threads ask.
#include "astc/cuda/astc_cuda.h"

#include <algorithm>
#include <optional>

#include "astc/cuda/cuda_encoder.h"
#include "astc/cuda/decode_picture.h"
#include "astc/cuda/fgac.h"
#include "base/bytes.h"
#include "exec/cuda/block_strips.h"
#include "exec/cuda/cuda_event.h"
#include "exec/cuda/lease_pool.h"

namespace tessera {
namespace {

// What one picture under way needs.
struct AstcLane {
  explicit AstcLane(unsigned processors) : encoder(processors) {}

  // Waits, on the stream, for what another stream may still do with the same memory.
  Status encode(const DeviceImage& image, BlockSize block, const astc::EncodeSettings& settings,
                std::optional<astc::PictureFacts> facts, void* blocks, cudaStream_t stream) {
    TESSERA_RETURN_IF_ERROR(last_use.wait(stream));
    TESSERA_RETURN_IF_ERROR(encoder.encode(picture_of(image, block), block, settings, facts,
                                           static_cast<astc::Block128*>(blocks), stream));
    return last_use.record(stream);
  }

  static astc::Picture picture_of(const DeviceImage& image, BlockSize block) {
    const bool is_aligned =
        image.row_bytes % 16 == 0 && reinterpret_cast<uintptr_t>(image.texels) % 16 == 0;
    return {static_cast<const uint32_t*>(image.texels),
            image.row_bytes / 4,
            image.width,
            image.height,
            static_cast<uint32_t>(divide_round_up(image.width, block.width)),
            is_aligned};
  }

  // Small strips overlap their copies with kernels; large ones keep the device busy with the few
  // blocks that are searched for long.
  size_t strip_bytes(uint32_t width, BlockSize block, const astc::EncodeSettings& settings) const {
    constexpr size_t kQuickBytes = size_t{64} << 20, kLongBytes = size_t{128} << 20;
    const bool is_quick = settings.partition_search == astc::PartitionSearch::kOff;
    const auto across = static_cast<uint32_t>(divide_round_up(width, block.width));
    const size_t rows =
        size_t{encoder.rows_at_once(across, block, settings, CudaStripRunner::kSlots)} *
        block.height;
    return std::min(is_quick ? kQuickBytes : kLongBytes, rows * width * 4);
  }

  astc::CudaEncoder encoder;
  astc::CudaDecoder decoder;
  astc::CudaFgac fgac;
  CudaStripRunner runner;
  CudaEvent last_use;
};

class AstcCuda : public AstcKernels {
 public:
  explicit AstcCuda(std::shared_ptr<CudaDevice> device)
      : device_(std::move(device)), lanes_(kPicturesAtOnce, [processors = device_->processors()] {
          return std::make_unique<AstcLane>(processors);
        }) {}

  Status encode(const ImageView& image, BlockSize block, const astc::EncodeSettings& settings,
                const astc::PictureFacts& facts, Backend& threads, std::span<uint8_t> out,
                const RunControl& control) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    const auto lane = lanes_.take();
    const BlockStrips strips({image.info.width, image.info.height, image.info.slices()}, block,
                             astc::kBlockBytes,
                             lane->strip_bytes(image.info.width, block, settings));
    CudaStripWork work =
        strips.texels_to_blocks(image.data, {image.row_stride, image.slice_stride}, out.data());
    work.place = LaunchQueue::Place::kOwnThread;
    work.launch = [&](size_t number, const uint8_t* texels, uint8_t* blocks, cudaStream_t stream) {
      return lane->encode({texels, strips.row_bytes(), image.info.width, strips.texel_rows(number)},
                          block, settings, facts, blocks, stream);
    };
    return lane->runner.run(work, threads, control);
  }

  Status encode_resident(const DeviceImage& image, BlockSize block,
                         const astc::EncodeSettings& settings, void* blocks,
                         void* stream) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    return lanes_.take()->encode(image, block, settings, std::nullopt, blocks,
                                 static_cast<cudaStream_t>(stream));
  }

  Status encode_fgac(const ImageView& image, const astc::FgacSettings& settings, Backend& threads,
                     std::span<uint8_t> out, const RunControl& control) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    const auto lane = lanes_.take();
    const BlockStrips strips({image.info.width, image.info.height, image.info.slices()}, {4, 4, 1},
                             astc::kBlockBytes);
    CudaStripWork work =
        strips.texels_to_blocks(image.data, {image.row_stride, image.slice_stride}, out.data());
    work.launch = [&](size_t number, const uint8_t* texels, uint8_t* blocks, cudaStream_t stream) {
      const DeviceImage strip = {texels, strips.row_bytes(), image.info.width,
                                 strips.texel_rows(number)};
      return lane->fgac.encode(AstcLane::picture_of(strip, {4, 4, 1}), settings, blocks, stream);
    };
    return lane->runner.run(work, threads, control);
  }

  Status encode_fgac_resident(const DeviceImage& image, const astc::FgacSettings& settings,
                              void* blocks, void* stream) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    return lanes_.take()->fgac.encode(AstcLane::picture_of(image, {4, 4, 1}), settings, blocks,
                                      static_cast<cudaStream_t>(stream));
  }

  Status decode(ByteSpan blocks, BlockSize block, astc::DecodeMode mode, Backend& threads,
                const MutableImageView& image, const RunControl& control) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    const auto lane = lanes_.take();
    const BlockStrips strips({image.info.width, image.info.height, image.info.slices()}, block,
                             astc::kBlockBytes);
    CudaStripWork work =
        strips.blocks_to_texels(blocks.data(), image.data, {image.row_stride, image.slice_stride});
    work.launch = [&](size_t number, const uint8_t* in, uint8_t* texels, cudaStream_t stream) {
      return lane->decoder.decode(
          in, block, mode,
          {texels, strips.row_bytes(), image.info.width, strips.texel_rows(number)}, stream);
    };
    return lane->runner.run(work, threads, control);
  }

  Status decode_resident(const void* blocks, BlockSize block, astc::DecodeMode mode,
                         const MutableDeviceImage& image, void* stream) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    return lanes_.take()->decoder.decode(blocks, block, mode, image,
                                         static_cast<cudaStream_t>(stream));
  }

 private:
  static constexpr size_t kPicturesAtOnce = 4;

  std::shared_ptr<CudaDevice> device_;
  LeasePool<AstcLane> lanes_;
};

}  // namespace

std::unique_ptr<DeviceKernels> make_astc_cuda(std::shared_ptr<CudaDevice> device) {
  return std::make_unique<AstcCuda>(std::move(device));
}

}  // namespace tessera
