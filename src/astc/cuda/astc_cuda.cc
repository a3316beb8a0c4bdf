// ASTC on a CUDA device, from memory of the host and back, strip by strip: as many block rows as
// the device's memory has room for.
#include "astc/cuda/astc_cuda.h"

#include <algorithm>
#include <atomic>

#include "astc/cuda/cuda_encoder.h"
#include "astc/cuda/decode_picture.h"
#include "base/bytes.h"
#include "exec/cuda/block_strips.h"
#include "exec/cuda/cuda_staging.h"

namespace tessera {
namespace {

class AstcCuda : public AstcKernels {
 public:
  explicit AstcCuda(std::shared_ptr<CudaDevice> device)
      : device_(std::move(device)), encoder_(device_->processors()) {}

  Status encode(const ImageView& image, BlockSize block, const astc::EncodeSettings& settings,
                const astc::PictureFacts& facts, Backend& threads, std::span<uint8_t> out,
                const RunControl& control) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    const auto across = static_cast<uint32_t>(divide_round_up(image.info.width, block.width));
    const auto down = static_cast<uint32_t>(divide_round_up(image.info.height, block.height));
    const uint32_t at_once = encoder_.rows_at_once(across, block, settings);
    const uint64_t all_rows = uint64_t{down} * image.info.slices();
    uint64_t done = 0;
    for (uint32_t slice = 0; slice < image.info.slices(); ++slice) {
      for (uint32_t row = 0; row < down;) {
        if (control.cancelled != nullptr && control.cancelled->load()) {
          return Error{ErrorCode::kInterrupted, "interrupted"};
        }
        const uint32_t rows = std::min(down - row, at_once);
        const Strip strip = {slice, row, rows, across};
        TESSERA_RETURN_IF_ERROR(
            encode_strip(image, block, settings, facts, strip, threads,
                         out.data() + (uint64_t{slice} * down + row) * across * astc::kBlockBytes));
        row += rows;
        done += rows;
        if (control.progress) {
          control.progress(static_cast<double>(done) / static_cast<double>(all_rows));
        }
      }
    }
    return {};
  }

  Status encode_resident(const DeviceImage& image, BlockSize block,
                         const astc::EncodeSettings& settings, void* blocks,
                         void* stream) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    const bool is_aligned =
        image.row_bytes % 16 == 0 && reinterpret_cast<uintptr_t>(image.texels) % 16 == 0;
    const astc::Picture picture = {static_cast<const uint32_t*>(image.texels),
                                   image.row_bytes / 4,
                                   image.width,
                                   image.height,
                                   static_cast<uint32_t>(divide_round_up(image.width, block.width)),
                                   is_aligned};
    return encoder_.encode(picture, block, settings, std::nullopt,
                           static_cast<astc::Block128*>(blocks), static_cast<cudaStream_t>(stream));
  }

  Status decode(ByteSpan blocks, BlockSize block, astc::DecodeMode mode, Backend& threads,
                const MutableImageView& image, const RunControl& control) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    const BlockStrips strips({image.info.width, image.info.height, image.info.slices()}, block,
                             astc::kBlockBytes);
    CudaStripWork work =
        strips.blocks_to_texels(blocks.data(), image.data, {image.row_stride, image.slice_stride});
    work.launch = [&](size_t number, const uint8_t* in, uint8_t* texels, cudaStream_t stream) {
      return decoder_.decode(
          in, block, mode,
          {texels, strips.row_bytes(), image.info.width, strips.texel_rows(number)}, stream);
    };
    return runner_.run(work, threads, control);
  }

  Status decode_resident(const void* blocks, BlockSize block, astc::DecodeMode mode,
                         const MutableDeviceImage& image, void* stream) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    return decoder_.decode(blocks, block, mode, image, static_cast<cudaStream_t>(stream));
  }

 private:
  struct Strip {
    uint32_t slice, row, rows, across;
  };

  Status encode_strip(const ImageView& image, BlockSize block, const astc::EncodeSettings& settings,
                      const astc::PictureFacts& facts, const Strip& strip, Backend& threads,
                      uint8_t* out) {
    const cudaStream_t stream = device_->stream();
    const uint32_t first = strip.row * block.height;
    const uint32_t height = std::min(strip.rows * block.height, image.info.height - first);
    // Rows of whole 16 bytes can be loaded four texels at a time.
    const size_t row_bytes = divide_round_up(size_t{image.info.width} * 4, 16) * 16;
    const size_t block_bytes = size_t{strip.rows} * strip.across * astc::kBlockBytes;
    TESSERA_RETURN_IF_ERROR(texels_.reserve(row_bytes * height));
    TESSERA_RETURN_IF_ERROR(blocks_.reserve(block_bytes));
    const HostRows rows = {image.row<uint8_t>(first, strip.slice), image.row_stride,
                           size_t{image.info.width} * 4, height};
    TESSERA_RETURN_IF_ERROR(
        staging_.upload(rows, texels_.as<uint8_t>(), row_bytes, threads, stream));
    const astc::Picture picture = {
        texels_.as<const uint32_t>(), row_bytes / 4, image.info.width, height, strip.across, true};
    TESSERA_RETURN_IF_ERROR(
        encoder_.encode(picture, block, settings, facts, blocks_.as<astc::Block128>(), stream));
    return staging_.download(blocks_.as<uint8_t>(), out, block_bytes, threads, stream);
  }

  std::shared_ptr<CudaDevice> device_;
  astc::CudaEncoder encoder_;
  CudaDeviceBuffer texels_;
  CudaDeviceBuffer blocks_;
  CudaStaging staging_;
  astc::CudaDecoder decoder_;
  CudaStripRunner runner_;
};

}  // namespace

std::unique_ptr<DeviceKernels> make_astc_cuda(std::shared_ptr<CudaDevice> device) {
  return std::make_unique<AstcCuda>(std::move(device));
}

}  // namespace tessera
