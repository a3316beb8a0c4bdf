// Transcoding in memory of a device, with a device that is the host: the texels stay there, and the
// bytes are those of decoding and encoding on threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "astc/astc_device.h"
#include "astc/decode/decode_image.h"
#include "bc/bc1_device.h"
#include "bc/bc1_encode.h"
#include "codec/pipeline.h"
#include "codec/registry.h"
#include "exec/device_backend.h"
#include "image/synthetic.h"

namespace tessera {
namespace {

Error not_asked_for() {
  return failed_error("this is not done on the device");
}

// What was done on the device.
struct Log {
  int decoded = 0;
  int encoded = 0;
  size_t bytes_copied = 0;
};

class HostAstc : public AstcKernels {
 public:
  HostAstc(Log& log, bool works) : log_(log), works_(works) {}

  Status encode(const ImageView&, BlockSize, const astc::EncodeSettings&, const astc::PictureFacts&,
                Backend&, std::span<uint8_t>, const RunControl&) override {
    return not_asked_for();
  }
  Status encode_resident(const DeviceImage&, BlockSize, const astc::EncodeSettings&, void*,
                         void*) override {
    return not_asked_for();
  }
  Status decode(ByteSpan, BlockSize, astc::DecodeMode, Backend&, const MutableImageView&,
                const RunControl&) override {
    return not_asked_for();
  }
  Status decode_resident(const void* blocks, BlockSize block, astc::DecodeMode mode,
                         const MutableDeviceImage& image, void*) override {
    if (!works_) {
      return not_asked_for();
    }
    ++log_.decoded;
    MutableImageView view;
    view.data = static_cast<uint8_t*>(image.texels);
    view.info.width = image.width;
    view.info.height = image.height;
    view.row_stride = image.row_bytes;
    const auto rows = (image.height + block.height - 1) / block.height;
    const size_t across = (image.width + block.width - 1) / block.width;
    astc::decode_block_rows({static_cast<const uint8_t*>(blocks), rows * across * 16}, block, mode,
                            0, rows, view);
    for (uint32_t y = 0; y < image.height; ++y) {
      const auto* row = view.row<uint32_t>(y);
      if (std::any_of(row, row + image.width, [](uint32_t t) { return t < 0xFF000000u; })) {
        *image.not_opaque = 1;
      }
    }
    return {};
  }

 private:
  Log& log_;
  bool works_;
};

class HostBc1 : public Bc1Kernels {
 public:
  explicit HostBc1(Log& log) : log_(log) {}

  Status encode(const ImageView&, const bc1::Settings&, Backend&, std::span<uint8_t>,
                const RunControl&) override {
    return not_asked_for();
  }
  Status decode(ByteSpan, bc1::Rounding, Backend&, const MutableImageView&,
                const RunControl&) override {
    return not_asked_for();
  }
  Status encode_resident(const DeviceImage& image, const bc1::Settings& settings, void* blocks,
                         void*) override {
    ++log_.encoded;
    ImageView view;
    view.data = static_cast<const uint8_t*>(image.texels);
    view.info.width = image.width;
    view.info.height = image.height;
    view.row_stride = image.row_bytes;
    const uint32_t rows = (image.height + 3) / 4;
    bc1::encode_rows(view, 0, 0, rows, settings,
                     {static_cast<uint8_t*>(blocks), size_t{rows} * ((image.width + 3) / 4) * 8});
    return {};
  }

 private:
  Log& log_;
};

class HostMemory : public DeviceMemory {
 public:
  explicit HostMemory(Log& log) : log_(log) {}

  Result<void*> reserve(size_t slot, size_t bytes) override {
    slots_.at(slot).assign(bytes / 16 + 1, {});
    return slots_[slot].data();
  }
  Status clear(void* memory, size_t bytes) override {
    std::fill_n(static_cast<uint8_t*>(memory), bytes, uint8_t{0});
    return {};
  }
  Status upload(ByteSpan from, void* to, Backend&) override {
    std::copy(from.begin(), from.end(), static_cast<uint8_t*>(to));
    log_.bytes_copied += from.size();
    return {};
  }
  Status download(const void* from, std::span<uint8_t> to, Backend&) override {
    std::copy_n(static_cast<const uint8_t*>(from), to.size(), to.data());
    log_.bytes_copied += to.size();
    return {};
  }
  void* stream() override { return nullptr; }

 private:
  struct alignas(16) Word {
    std::array<uint8_t, 16> bytes;
  };
  Log& log_;
  std::array<std::vector<Word>, kSlots> slots_;
};

class TranscodeTest : public testing::Test {
 protected:
  std::unique_ptr<Backend> device_backend(bool works, FallbackNote note = nullptr) {
    OpenDevice device;
    device.kind = "cuda";
    device.kernels["astc"] = std::make_unique<HostAstc>(log_, works);
    device.kernels["bc1"] = std::make_unique<HostBc1>(log_);
    device.memory = std::make_unique<HostMemory>(log_);
    return make_device_backend(std::move(device), make_serial_backend(), std::move(note));
  }

  static EncodePlan plan_to_bc1(bool punch_through = false) {
    EncodePlan plan;
    plan.codec = &codec_of(TextureFormat::kBc1);
    plan.settings.preset = Preset::kFast;
    if (punch_through) {
      plan.settings.options.push_back({"punch-through", "true"});
    }
    plan.source = SourceTextures();
    return plan;
  }

  static LargeBytes astc_file(SyntheticKind kind, bool mips, const char* block) {
    EncodePlan plan;
    plan.codec = &codec_of(TextureFormat::kAstc);
    plan.settings.preset = Preset::kRealtime;
    plan.settings.block = parse_block_size(block).value();
    plan.container = ContainerType::kKtx2;
    plan.mips = mips;
    const Image picture = make_synthetic_image(kind, 61, 38, 2).value();
    return encode_picture(picture.view(), plan, *make_serial_backend(), {}).value().bytes;
  }

  Log log_;
};

TEST_F(TranscodeTest, GivesTheSameBytesAndCopiesBlocksOnly) {
  for (const bool mips : {false, true}) {
    for (const char* block : {"4x4", "6x6", "10x5"}) {
      for (const bool punch_through : {false, true}) {
        const LargeBytes file = astc_file(SyntheticKind::kSprite, mips, block);
        const EncodePlan plan = plan_to_bc1(punch_through);
        log_ = {};
        const auto on_device = transcode_texture(file, "a", plan, *device_backend(true), {}, {});
        const auto on_threads = transcode_texture(file, "a", plan, *make_serial_backend(), {}, {});
        ASSERT_TRUE(on_device && on_threads);
        EXPECT_EQ(on_device->bytes, on_threads->bytes) << block;
        EXPECT_EQ(on_device->report.alpha_dropped, on_threads->report.alpha_dropped);
        EXPECT_EQ(on_device->report.alpha_dropped, !punch_through);
        EXPECT_EQ(on_device->report.encoded_pixels, on_threads->report.encoded_pixels);
        EXPECT_EQ(on_device->report.level_count, on_threads->report.level_count);
        EXPECT_EQ(log_.decoded, mips ? 6 : 1);
        EXPECT_EQ(log_.encoded, log_.decoded);
        EXPECT_LT(log_.bytes_copied, file.size() + on_device->bytes.size() + 16);
      }
    }
  }
}

TEST_F(TranscodeTest, WorkThatNeedsTexelsIsDoneOnThreads) {
  const LargeBytes file = astc_file(SyntheticKind::kPhoto, false, "4x4");
  EncodePlan plan = plan_to_bc1();
  plan.swizzle = parse_swizzle("bgra").value();
  std::string told;
  const auto made = transcode_texture(
      file, "a", plan, *device_backend(true, [&](const std::string& why) { told = why; }), {}, {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(log_.decoded, 0);
  EXPECT_EQ(made->bytes, transcode_texture(file, "a", plan, *make_serial_backend(), {}, {})->bytes);
}

TEST_F(TranscodeTest, AFailureOfTheDeviceIsToldOrAnError) {
  const LargeBytes file = astc_file(SyntheticKind::kPhoto, false, "4x4");
  const EncodePlan plan = plan_to_bc1();
  EXPECT_FALSE(transcode_texture(file, "a", plan, *device_backend(false), {}, {}));
  std::string told;
  const auto made = transcode_texture(
      file, "a", plan, *device_backend(false, [&](const std::string& why) { told = why; }), {}, {});
  ASSERT_TRUE(made);
  EXPECT_FALSE(told.empty());
  EXPECT_EQ(made->bytes, transcode_texture(file, "a", plan, *make_serial_backend(), {}, {})->bytes);
}

}  // namespace
}  // namespace tessera
