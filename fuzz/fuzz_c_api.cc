// The C interface as careless callers use it: option structs of any size with any words in them,
// images with any extents, strides and enums, buffers of any size. Every call ends with a status
// and a sentence, reads no byte beyond what it was given, and what succeeds has a sensible result.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "measured.h"
#include "random_picture.h"
#include "tessera/tessera.h"

namespace {

using tessera::Bytes;
using tessera::fuzz::require;

constexpr std::array kWords = {
    "",       "astc",  "bc1",        "fractal", "rgba",        "0001",     "bgra",    "ldr",
    "srgb",   "hdr",   "ktx2",       "dds",     "tsf",         "6x6",      "12x12",   "4x4x4",
    "7x7",    "fast",  "medium",     "color",   "alpha",       "normal",   "mask",    "packed",
    "ui",     "60",    "-1",         "1e99",    "nan",         "zstd",     "quality", "bpp",
    "method", "scale", "iterations", "1",       "0",           "realtime", "x",       "%s%n",
    "search", "simd",  "depth",      "epsilon", "decode-mode", "unorm8"};

// A struct as a caller of another version may give it: shorter, longer, or of its true size. It
// lies in memory of exactly that size.
template <class T>
class AnySize {
 public:
  AnySize(FuzzedDataProvider& bytes, const T& value) {
    size_t size = sizeof(T);
    const auto kind = bytes.ConsumeIntegralInRange(0, 9);
    // An image without its strides or channels is another one, with other pixels.
    if (kind == 0 && !std::is_same_v<T, tessera_image>) {
      // No version ends in the middle of a pointer.
      size = bytes.ConsumeIntegralInRange<size_t>(0, sizeof(T) / 8) * 8;
    } else if (kind == 1) {
      size = sizeof(T) + bytes.ConsumeIntegralInRange<size_t>(1, 24);
    }
    memory_.reset(static_cast<T*>(std::calloc(1, std::max(size, sizeof(size_t)))));
    std::memcpy(static_cast<void*>(memory_.get()), &value, std::min(size, sizeof(T)));
    std::memcpy(static_cast<void*>(memory_.get()), &size, sizeof size);
  }
  T* get() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> memory_;
};

// Every failure has a sentence; returns whether the call succeeded.
bool ended_well(tessera_status status, const tessera_error& error) {
  require(status >= TESSERA_OK && status <= TESSERA_ERROR_DIFFER, "an unknown status");
  require(status == TESSERA_OK || (error.message[0] != '\0' && error.status == status),
          "a failure without a sentence");
  return status == TESSERA_OK;
}

class Caller {
 public:
  explicit Caller(FuzzedDataProvider& bytes) : bytes_(bytes) {}

  void call_everything() {
    make_options();
    const AnySize<tessera_encode_options> options(bytes_, encode_options());
    tessera_encoder* encoder = nullptr;
    tessera_error error = {};
    if (ended_well(tessera_encoder_create(options.get(), &encoder, &error), error)) {
      use_encoder(encoder);
    }
    tessera_encoder_destroy(encoder);
    use_pictures();
    use_blocks();
  }

 private:
  const char* word() {
    const auto index = bytes_.ConsumeIntegralInRange<size_t>(0, 2 * kWords.size());
    return index < kWords.size() ? kWords[index] : nullptr;
  }

  void make_options() {
    const auto count = bytes_.ConsumeIntegralInRange<size_t>(0, 3);
    for (size_t i = 0; i < count; ++i) {
      option_list_.push_back({word(), word()});
    }
  }

  tessera_encode_options encode_options() {
    tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
    options.format = word();
    options.block = word();
    options.preset = bytes_.PickValueInArray(tessera::fuzz::kPresetNames);
    options.profile = word();
    options.swizzle = word();
    options.container = word();
    options.mips = bytes_.ConsumeBool();
    options.linear = bytes_.ConsumeBool();
    options.normal_map = bytes_.ConsumeIntegralInRange(0, 5) == 0;
    options.metrics = bytes_.ConsumeIntegralInRange(0, 3) == 0;
    options.use = word();
    options.transcode = bytes_.ConsumeIntegralInRange(0, 9) == 0;
    options.options = option_list_.data();
    options.option_count = option_list_.size();
    return options;
  }

  // Sometimes impossible: then it must be refused before a pixel is looked at.
  tessera_image make_image() {
    tessera_image image = TESSERA_IMAGE_INIT;
    image.width = bytes_.ConsumeIntegralInRange<uint32_t>(0, 20);
    image.height = bytes_.ConsumeIntegralInRange<uint32_t>(0, 20);
    image.depth = bytes_.ConsumeIntegralInRange(0, 9) == 0 ? 2 : 0;
    image.layers = bytes_.ConsumeIntegralInRange(0, 9) == 0 ? 3 : 0;
    image.channels = bytes_.ConsumeIntegralInRange<uint32_t>(0, 5);
    image.sample = static_cast<tessera_sample>(bytes_.ConsumeIntegralInRange(0, 4));
    image.color_space = static_cast<tessera_color_space>(bytes_.ConsumeIntegralInRange(0, 2));
    const size_t channels = image.channels == 0 ? 4 : image.channels;
    constexpr size_t kSampleBytes[] = {1, 2, 2, 4, 1};
    const size_t row = image.width * channels * kSampleBytes[image.sample];
    image.row_stride = stride(row);
    const size_t true_row = image.row_stride == 0 ? row : image.row_stride;
    image.slice_stride = stride(true_row * image.height);
    const size_t true_slice =
        image.slice_stride == 0 ? true_row * image.height : image.slice_stride;
    const size_t slices = std::max(1u, image.depth) * std::max(1u, image.layers);
    const size_t rows = image.height > 0 ? image.height - 1 : 0;
    pixels_.push_back(std::make_unique<Bytes>(
        tessera::fuzz::random_pixels(bytes_, (slices - 1) * true_slice + rows * true_row + row)));
    image.pixels = bytes_.ConsumeIntegralInRange(0, 30) == 0 ? nullptr : pixels_.back()->data();
    return image;
  }

  // None, the true one, a wider one, or one that is too short.
  size_t stride(size_t least) {
    switch (bytes_.ConsumeIntegralInRange(0, 5)) {
      case 0:
        return least;
      case 1:
        return least + bytes_.ConsumeIntegralInRange<size_t>(1, 64);
      case 2:
        return bytes_.ConsumeIntegralInRange<size_t>(0, least);
      default:
        return 0;
    }
  }

  void use_encoder(const tessera_encoder* encoder) {
    tessera_error error = {};
    tessera_encoder_info description = {};
    description.struct_size = sizeof description;
    ended_well(tessera_encoder_describe(encoder, &description, &error), error);
    const AnySize<tessera_image> image(bytes_, make_image());
    size_t size = 0;
    if (ended_well(tessera_payload_size(encoder, image.get(), &size, &error), error)) {
      require(size > 0 && size < (1 << 20), "an impossible size of blocks");
      Bytes blocks(bytes_.ConsumeIntegralInRange(0, 5) == 0 ? size / 2 : size);
      ended_well(tessera_encode_blocks(encoder, nullptr, image.get(), nullptr, blocks.data(),
                                       blocks.size(), &error),
                 error);
    }
    tessera_buffer* file = nullptr;
    tessera_encode_report report = TESSERA_ENCODE_REPORT_INIT;
    if (ended_well(tessera_encode(encoder, nullptr, image.get(), nullptr, &file, &report, &error),
                   error)) {
      require(tessera_buffer_size(file) == report.file_bytes, "a file of another size");
      use_file(encoder, tessera_buffer_data(file), tessera_buffer_size(file));
    }
    tessera_buffer_destroy(file);
  }

  void use_file(const tessera_encoder* encoder, const uint8_t* data, size_t size) {
    tessera_error error = {};
    tessera_file_info info = {};
    info.struct_size = sizeof info;
    require(ended_well(tessera_inspect(data, size, word(), &info, &error), error),
            "what was encoded cannot be inspected");
    tessera_buffer* json = nullptr;
    ended_well(tessera_describe(data, size, word(), bytes_.ConsumeBool(), word(), &json, &error),
               error);
    tessera_buffer_destroy(json);
    tessera_limits limits = TESSERA_LIMITS_INIT;
    limits.untrusted = bytes_.ConsumeBool();
    limits.max_pixels = bytes_.ConsumeIntegralInRange(0, 3) == 0 ? 50 : 0;
    tessera_control control = TESSERA_CONTROL_INIT;
    control.limits = &limits;
    tessera_decode_options options = TESSERA_DECODE_OPTIONS_INIT;
    options.profile = word();
    options.sample = static_cast<tessera_sample>(bytes_.ConsumeIntegralInRange(0, 4));
    options.level = bytes_.ConsumeIntegralInRange<uint32_t>(0, 3);
    options.options = option_list_.data();
    options.option_count = option_list_.size();
    tessera_picture* picture = nullptr;
    if (ended_well(tessera_decode(nullptr, data, size, nullptr,
                                  AnySize<tessera_decode_options>(bytes_, options).get(),
                                  AnySize<tessera_control>(bytes_, control).get(), &picture, &info,
                                  &error),
                   error)) {
      look_at(picture);
    }
    tessera_picture_destroy(picture);
    tessera_buffer* other = nullptr;
    ended_well(
        tessera_transcode(encoder, nullptr, data, size, nullptr, nullptr, &other, nullptr, &error),
        error);
    tessera_buffer_destroy(other);
  }

  static void look_at(const tessera_picture* picture) {
    tessera_error error = {};
    tessera_image image = TESSERA_IMAGE_INIT;
    require(ended_well(tessera_picture_image(picture, &image, &error), error),
            "a picture has no image");
    const auto* last =
        static_cast<const uint8_t*>(image.pixels) + (image.height - size_t{1}) * image.row_stride;
    volatile uint8_t read = last[image.width - 1];  // the sanitizer looks whether it is there
    static_cast<void>(read);
  }

  void use_pictures() {
    tessera_error error = {};
    const AnySize<tessera_image> first(bytes_, make_image());
    const AnySize<tessera_image> second(bytes_, make_image());
    tessera_picture* picture = nullptr;
    if (ended_well(tessera_next_mip_level(first.get(), &picture, &error), error)) {
      look_at(picture);
    }
    tessera_picture_destroy(picture);
    picture = nullptr;
    if (ended_well(tessera_edit_picture(first.get(), bytes_.ConsumeBool(), bytes_.ConsumeBool(),
                                        bytes_.ConsumeBool(), &picture, &error),
                   error)) {
      look_at(picture);
    }
    tessera_picture_destroy(picture);
    tessera_metrics metrics = {};
    metrics.struct_size = sizeof metrics;
    const auto* other = bytes_.ConsumeBool() ? first.get() : second.get();
    if (ended_well(tessera_compare(first.get(), other, bytes_.ConsumeIntegralInRange(0u, 14u),
                                   bytes_.ConsumeIntegralInRange(0u, 14u), &metrics, &error),
                   error)) {
      require(other != first.get() || !(metrics.max_error > 0), "a picture differs from itself");
    }
    picture = nullptr;
    ended_well(tessera_comparison_sheet(first.get(), other,
                                        bytes_.ConsumeFloatingPointInRange<double>(-1, 100),
                                        &picture, &error),
               error);
    tessera_picture_destroy(picture);
  }

  void use_blocks() {
    const tessera_image image = make_image();
    if (image.pixels == nullptr) {
      return;
    }
    const Bytes blocks =
        tessera::fuzz::random_pixels(bytes_, 16 * bytes_.ConsumeIntegralInRange<size_t>(0, 25));
    tessera_error error = {};
    ended_well(tessera_decode_blocks(nullptr, word(), word(), blocks.data(), blocks.size(), nullptr,
                                     nullptr, &image, pixels_.back()->data(), &error),
               error);
  }

  FuzzedDataProvider& bytes_;
  std::vector<tessera_option> option_list_;
  std::vector<std::unique_ptr<Bytes>> pixels_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const tessera::fuzz::Measured measured(size);
  FuzzedDataProvider bytes(data, size);
  Caller(bytes).call_everything();
  return 0;
}
