// Block rows of the method fgac, spread over a backend.
#include "astc/fgac_codec.h"

#include <algorithm>

#include "astc/astc_device.h"
#include "astc/fgac/fgac_encode.h"
#include "base/bytes.h"

namespace tessera {
namespace {

constexpr size_t kBlocksPerTask = 4096;

class FgacBlockEncoder : public BlockEncoder {
 public:
  SampleType input_sample() const override { return SampleType::kU8; }
  uint32_t input_channels(const ImageInfo& /*picture*/) const override { return 4; }
  bool keeps_alpha() const override { return true; }

  uint64_t output_bytes(const ImageInfo& image) const override {
    return uint64_t{rows_of(image)} * image.slices() * row_bytes_of(image);
  }

  Status encode_part(const ImageView& image, ImageFacts /*facts*/, Backend& backend,
                     const RunControl& control, std::span<uint8_t> out) const override {
    if (AstcKernels* kernels = kernels_of(backend)) {
      Status status = kernels->encode_fgac(image, settings_, backend, out, control);
      if (status || !backend.device()->give_up(status.error())) {
        return status;
      }
    }
    const uint32_t rows = rows_of(image.info);
    const size_t row_bytes = row_bytes_of(image.info);
    const auto encode_range = [&](size_t begin, size_t end) -> Status {
      for (size_t row = begin; row < end; ++row) {
        const auto inside = static_cast<uint32_t>(row % rows);
        astc::encode_fgac_rows(image, static_cast<uint32_t>(row / rows), inside, inside + 1,
                               settings_, out.subspan(row * row_bytes, row_bytes));
      }
      return {};
    };
    const size_t grain = std::max<size_t>(1, kBlocksPerTask / (row_bytes / astc::kBlockBytes));
    return backend.run({size_t{rows} * image.info.slices(), grain}, encode_range, control);
  }

  Status encode_resident(const DeviceImage& image, Backend& backend, void* blocks,
                         void* stream) const override {
    AstcKernels* const kernels = kernels_of(backend);
    return kernels == nullptr
               ? unsupported_error("memory of a device needs the backend of that device")
               : kernels->encode_fgac_resident(image, settings_, blocks, stream);
  }

 private:
  static AstcKernels* kernels_of(Backend& backend) {
    return kernels_as<AstcKernels>(backend.device(), "astc");
  }
  static uint32_t rows_of(const ImageInfo& image) {
    return static_cast<uint32_t>(divide_round_up(image.height, 4));
  }
  static size_t row_bytes_of(const ImageInfo& image) {
    return static_cast<size_t>(divide_round_up(image.width, 4)) * astc::kBlockBytes;
  }

  astc::FgacSettings settings_;
};

}  // namespace

Result<std::unique_ptr<Encoder>> make_fgac_encoder(const CodecSettings& settings, BlockSize block) {
  if (block != BlockSize{4, 4, 1}) {
    return unsupported_error("the method fgac encodes blocks of 4x4, not " +
                             block_size_name(block));
  }
  if (settings.quality || settings.normal_map || !settings.channel_weights.empty() ||
      !settings.options.empty()) {
    return usage_error(
        "the method fgac has one way to encode, with one partition: no --quality, --normal, "
        "--channel-weights nor options of ASTC's own encoder go with it");
  }
  return std::unique_ptr<Encoder>(std::make_unique<FgacBlockEncoder>());
}

}  // namespace tessera
