// BC1 on a CUDA device: strips in, blocks out, and back.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "bc/bc1_device.h"
#include "bc/bc1_format.h"
#include "bc/cuda/kernels.h"
#include "bc/device/bc1_tables.h"
#include "exec/cuda/cuda_device.h"
#include "exec/cuda/cuda_memory.h"
#include "exec/cuda/cuda_strips.h"

namespace tessera {
namespace {

constexpr size_t kStripBytes = size_t{16} << 20;  // of texels that are copied at once
constexpr size_t kRowAlignment = 16;              // a block's row is one load of 16 bytes

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

// The strips of an image: some block rows of one slice each.
class Strips {
 public:
  explicit Strips(const ImageInfo& info)
      : info_(info),
        row_bytes_(divide_round_up(size_t{info.width} * bc1::kTexelBytes, kRowAlignment) *
                   kRowAlignment),
        across_(divide_round_up(info.width, bc1::kBlockSide)),
        rows_per_slice_(static_cast<uint32_t>(divide_round_up(info.height, bc1::kBlockSide))),
        rows_(static_cast<uint32_t>(
            std::clamp<size_t>(kStripBytes / (row_bytes_ * bc1::kBlockSide), 1, rows_per_slice_))),
        per_slice_(divide_round_up(rows_per_slice_, rows_)) {}

  size_t count() const { return per_slice_ * info_.slices(); }
  size_t row_bytes() const { return row_bytes_; }
  size_t texel_rows() const { return size_t{rows_} * bc1::kBlockSide; }
  size_t block_rows() const { return rows_; }
  size_t block_row_bytes() const { return across_ * bc1::kBlockBytes; }
  size_t texel_row_bytes() const { return size_t{info_.width} * bc1::kTexelBytes; }

  struct Place {
    uint32_t slice, first_texel_row, texel_rows;
    size_t first_block_row, block_rows;  // of all slices
  };
  Place operator[](size_t number) const {
    const auto slice = static_cast<uint32_t>(number / per_slice_);
    const auto first = static_cast<uint32_t>(number % per_slice_) * rows_;
    const uint32_t count = std::min(rows_, rows_per_slice_ - first);
    const uint32_t first_texel = first * bc1::kBlockSide;
    return {slice, first_texel, std::min(count * bc1::kBlockSide, info_.height - first_texel),
            size_t{slice} * rows_per_slice_ + first, count};
  }

 private:
  ImageInfo info_;
  size_t row_bytes_, across_;
  uint32_t rows_per_slice_, rows_;
  size_t per_slice_;
};

class Bc1Cuda : public Bc1Kernels {
 public:
  explicit Bc1Cuda(std::shared_ptr<CudaDevice> device) : device_(std::move(device)) {}

  Status encode(const ImageView& image, const bc1::Settings& settings, Backend& threads,
                std::span<uint8_t> out, const RunControl& control) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    TESSERA_ASSIGN_OR_RETURN(const int32_t* tables, tables_for(settings.rounding));
    const Strips strips(image.info);
    CudaStripWork work;
    work.count = strips.count();
    work.in_stride = strips.row_bytes();
    work.in_rows = strips.texel_rows();
    work.out_stride = strips.block_row_bytes();
    work.out_rows = strips.block_rows();
    work.strip = [&](size_t number) {
      const Strips::Place at = strips[number];
      const size_t bytes = strips.block_row_bytes();
      return CudaStrip{{image.row<uint8_t>(at.first_texel_row, at.slice), image.row_stride,
                        strips.texel_row_bytes(), at.texel_rows},
                       {out.data() + at.first_block_row * bytes, bytes, bytes, at.block_rows}};
    };
    work.launch = [&](size_t number, const uint8_t* texels, uint8_t* blocks, cudaStream_t stream) {
      return launch_encoding(
          shape_of(image.info.width, strips[number].texel_rows, strips.row_bytes(), texels), texels,
          settings, tables, blocks, stream);
    };
    return runner_.run(work, threads, control);
  }

  Status decode(ByteSpan blocks, bc1::Rounding rounding, Backend& threads,
                const MutableImageView& image, const RunControl& control) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    const Strips strips(image.info);
    CudaStripWork work;
    work.count = strips.count();
    work.in_stride = strips.block_row_bytes();
    work.in_rows = strips.block_rows();
    work.out_stride = strips.row_bytes();
    work.out_rows = strips.texel_rows();
    work.strip = [&](size_t number) {
      const Strips::Place at = strips[number];
      const size_t bytes = strips.block_row_bytes();
      return CudaStrip{{blocks.data() + at.first_block_row * bytes, bytes, bytes, at.block_rows},
                       {image.row<uint8_t>(at.first_texel_row, at.slice), image.row_stride,
                        strips.texel_row_bytes(), at.texel_rows}};
    };
    work.launch = [&](size_t number, const uint8_t* in, uint8_t* texels, cudaStream_t stream) {
      bc1::decode_blocks(
          in, rounding,
          shape_of(image.info.width, strips[number].texel_rows, strips.row_bytes(), texels), texels,
          stream);
      return started();
    };
    return runner_.run(work, threads, control);
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
    CudaDeviceBuffer& buffer = tables_[static_cast<size_t>(rounding)];
    if (buffer.bytes() == 0) {
      const std::vector<int32_t> values = bc1::kernel_tables(rounding);
      CudaDeviceBuffer filled;
      TESSERA_RETURN_IF_ERROR(filled.reserve(values.size() * sizeof values[0]));
      TESSERA_RETURN_IF_ERROR(cuda_status(
          cudaMemcpy(filled.as<int32_t>(), values.data(), filled.bytes(), cudaMemcpyHostToDevice),
          "cannot take the tables"));
      buffer = std::move(filled);
    }
    return buffer.as<const int32_t>();
  }

  std::shared_ptr<CudaDevice> device_;
  std::array<CudaDeviceBuffer, bc1::kRoundingNames.size()> tables_;
  CudaStripRunner runner_;
};

}  // namespace

std::unique_ptr<DeviceKernels> make_bc1_cuda(std::shared_ptr<CudaDevice> device);
std::unique_ptr<DeviceKernels> make_bc1_cuda(std::shared_ptr<CudaDevice> device) {
  return std::make_unique<Bc1Cuda>(std::move(device));
}

}  // namespace tessera
