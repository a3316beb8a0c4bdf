// Pixels in memory: what they are (ImageInfo), a view of somebody's buffer (ImageView), and a
// buffer of our own (Image). Rows may be padded (row_stride); slices are the layers of an array or
// the depth of a volume, one 2D picture after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

#include "base/large_memory.h"
#include "base/result.h"

namespace tessera {

enum class SampleType : uint8_t { kU8, kU16, kF16, kF32 };

constexpr bool is_float(SampleType type) {
  return type == SampleType::kF16 || type == SampleType::kF32;
}

// How sample values relate to light. Integer samples of picture files are sRGB unless told
// otherwise; float samples are linear. Alpha is always linear.
enum class ColorSpace : uint8_t { kSrgb, kLinear };

constexpr size_t sample_bytes(SampleType type) {
  switch (type) {
    case SampleType::kU8:
      return 1;
    case SampleType::kU16:
    case SampleType::kF16:
      return 2;
    case SampleType::kF32:
      return 4;
  }
  return 0;
}

// In the order of SampleType.
inline constexpr std::array<std::string_view, 4> kSampleTypeNames = {"8-bit", "16-bit", "half",
                                                                     "float"};
constexpr std::string_view sample_type_name(SampleType type) {
  return kSampleTypeNames[static_cast<size_t>(type)];
}

// Channels in order: 1 = grey, 2 = grey and alpha, 3 = RGB, 4 = RGBA.
struct ImageInfo {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth = 1;   // of a volume
  uint32_t layers = 1;  // of an array
  uint32_t channels = 4;
  SampleType sample = SampleType::kU8;
  ColorSpace color_space = ColorSpace::kSrgb;
  uint32_t faces = 1;  // 6: each six of the layers are the faces of a cube map

  uint32_t slices() const { return depth * layers; }
  size_t pixel_bytes() const { return channels * sample_bytes(sample); }
  uint64_t pixel_count() const { return uint64_t{width} * height * slices(); }
  bool has_alpha() const { return channels == 2 || channels == 4; }
  bool operator==(const ImageInfo&) const = default;
};

// Pixels that belong to somebody else. Byte is const for reading, plain for writing.
template <typename Byte>
struct BasicImageView {
  Byte* data = nullptr;
  ImageInfo info;
  size_t row_stride = 0;    // bytes from a row to the next
  size_t slice_stride = 0;  // bytes from a slice to the next

  template <typename T>
  using Sample = std::conditional_t<std::is_const_v<Byte>, const T, T>;

  template <typename T>
  Sample<T>* row(uint32_t y, uint32_t slice = 0) const {
    return reinterpret_cast<Sample<T>*>(data + slice * slice_stride + y * row_stride);
  }

  // NOLINTNEXTLINE(google-explicit-constructor): a writable view can be read.
  operator BasicImageView<const uint8_t>() const { return {data, info, row_stride, slice_stride}; }
};

using ImageView = BasicImageView<const uint8_t>;
using MutableImageView = BasicImageView<uint8_t>;

// Where the bytes of an image lie.
struct ImageLayout {
  size_t row_stride = 0;  // bytes from a row to the next
  size_t bytes = 0;       // of all slices
};

// Fails on a zero or absurd size, and where the image does not fit the addresses of a process
// (`most_bytes`: less than 2^32 on 32-bit machines).
Result<ImageLayout> layout_of(const ImageInfo& info, uint64_t most_bytes = SIZE_MAX);

struct ReleaseImageMemory {
  LargeMemory* memory = nullptr;  // null: the heap
  size_t bytes = 0;
  void* heap_block = nullptr;  // what the heap gave; pixels begin at the next multiple of 64 bytes
  void operator()(uint8_t* data) const;
};

// Owns its pixels; rows of 256 bytes and more start at multiples of 64 bytes. Large ones lie in the
// memory that is current in the thread that makes them (base/large_memory.h).
class Image {
 public:
  Image() = default;

  // Zero-filled. Fails on a zero or absurd size and when memory is short.
  static Result<Image> create(const ImageInfo& info);

  const ImageInfo& info() const { return info_; }
  uint32_t width() const { return info_.width; }
  uint32_t height() const { return info_.height; }
  size_t row_stride() const { return row_stride_; }
  bool empty() const { return data_ == nullptr; }

  // Says again what the samples mean; the samples stay.
  void set_color_space(ColorSpace color_space) { info_.color_space = color_space; }

  ImageView view() const { return {data_.get(), info_, row_stride_, slice_stride()}; }
  MutableImageView mutable_view() { return {data_.get(), info_, row_stride_, slice_stride()}; }

  template <typename T>
  const T* row(uint32_t y, uint32_t slice = 0) const {
    return view().row<T>(y, slice);
  }
  template <typename T>
  T* row(uint32_t y, uint32_t slice = 0) {
    return mutable_view().row<T>(y, slice);
  }

 private:
  using Data = std::unique_ptr<uint8_t[], ReleaseImageMemory>;
  static Data allocate(size_t bytes);
  size_t slice_stride() const { return row_stride_ * info_.height; }

  Data data_;
  ImageInfo info_;
  size_t row_stride_ = 0;
};

// One slice of an image, where it is.
ImageView slice_view(const ImageView& image, uint32_t slice);

// A deep copy.
Result<Image> copy_image(const ImageView& source);

}  // namespace tessera
