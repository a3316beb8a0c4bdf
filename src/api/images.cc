// Images, pictures and buffers of the C interface.
#include "api/images.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "api/errors.h"
#include "api/handles.h"
#include "base/bytes.h"

namespace tessera::api {
namespace {

constexpr uint32_t kMaxExtent = 1U << 24;  // pixels, as images of the library have it
constexpr uint64_t kMaxBytes = static_cast<uint64_t>(std::numeric_limits<ptrdiff_t>::max());

uint32_t or_one(uint32_t value) {
  return value == 0 ? 1 : value;
}

Result<ImageInfo> read_info(const tessera_image& image) {
  ImageInfo info;
  info.width = image.width;
  info.height = image.height;
  info.depth = or_one(image.depth);
  info.layers = or_one(image.layers);
  info.channels = image.channels == 0 ? 4 : image.channels;
  if (info.width == 0 || info.height == 0) {
    return usage_error("the image has no pixels: its width or height is 0");
  }
  if (info.width > kMaxExtent || info.height > kMaxExtent || info.depth > kMaxExtent ||
      info.layers > kMaxExtent) {
    return usage_error("the image is larger than 2^24 pixels per side");
  }
  if (uint64_t{info.depth} * info.layers > UINT32_MAX) {
    return usage_error("the image has more than 2^32 slices");
  }
  if (info.channels > 4) {
    return usage_error("the image has " + std::to_string(info.channels) +
                       " channels; 1 to 4 are possible");
  }
  TESSERA_ASSIGN_OR_RETURN(info.sample, read_sample(image.sample));
  if (image.color_space != TESSERA_COLOR_SRGB && image.color_space != TESSERA_COLOR_LINEAR) {
    return usage_error("the image's colour space is none of tessera_color_space");
  }
  info.color_space =
      image.color_space == TESSERA_COLOR_SRGB ? ColorSpace::kSrgb : ColorSpace::kLinear;
  return info;
}

// Bytes from the first to the last, or nothing when they do not fit.
std::optional<uint64_t> extent_bytes(uint64_t count, uint64_t stride, uint64_t last) {
  const auto before = checked_multiply(count - 1, stride);
  if (!before || *before > kMaxBytes || last > kMaxBytes - *before) {
    return std::nullopt;
  }
  return *before + last;
}

Error too_large() {
  return usage_error("the image does not fit into memory: its size or a stride is too large");
}

}  // namespace

Result<SampleType> read_sample(tessera_sample sample) {
  switch (sample) {
    case TESSERA_SAMPLE_U8:
      return SampleType::kU8;
    case TESSERA_SAMPLE_U16:
      return SampleType::kU16;
    case TESSERA_SAMPLE_F16:
      return SampleType::kF16;
    case TESSERA_SAMPLE_F32:
      return SampleType::kF32;
  }
  return usage_error("the sample type is none of tessera_sample");
}

tessera_sample to_c(SampleType sample) {
  switch (sample) {
    case SampleType::kU8:
      return TESSERA_SAMPLE_U8;
    case SampleType::kU16:
      return TESSERA_SAMPLE_U16;
    case SampleType::kF16:
      return TESSERA_SAMPLE_F16;
    case SampleType::kF32:
      break;
  }
  return TESSERA_SAMPLE_F32;
}

Result<ImageView> read_layout(const tessera_image* given) {
  TESSERA_RETURN_IF_ERROR(check_not_null(given, "image"));
  TESSERA_ASSIGN_OR_RETURN(const tessera_image image, read_options(given, "tessera_image"));
  ImageView view;
  TESSERA_ASSIGN_OR_RETURN(view.info, read_info(image));
  const size_t row_bytes = size_t{view.info.width} * view.info.pixel_bytes();  // below 2^29
  view.row_stride = image.row_stride != 0 ? image.row_stride : row_bytes;
  if (view.row_stride < row_bytes) {
    return usage_error("row_stride is " + std::to_string(view.row_stride) +
                       " bytes, and a row has " + std::to_string(row_bytes));
  }
  const auto slice_bytes = extent_bytes(view.info.height, view.row_stride, row_bytes);
  const auto rows_bytes = checked_multiply(view.info.height, view.row_stride);
  if (!slice_bytes || !rows_bytes || !fits_memory(*rows_bytes)) {
    return too_large();
  }
  view.slice_stride =
      image.slice_stride != 0 ? image.slice_stride : static_cast<size_t>(*rows_bytes);
  if (view.info.slices() > 1 && view.slice_stride < *slice_bytes) {
    return usage_error("slice_stride is " + std::to_string(view.slice_stride) +
                       " bytes, and a slice has " + std::to_string(*slice_bytes));
  }
  if (!extent_bytes(view.info.slices(), view.slice_stride, *slice_bytes)) {
    return too_large();
  }
  const size_t alignment = sample_bytes(view.info.sample);
  if (view.row_stride % alignment != 0 || view.slice_stride % alignment != 0) {
    return usage_error("strides must be multiples of a sample's " + std::to_string(alignment) +
                       " bytes");
  }
  return view;
}

Result<ImageView> read_image(const tessera_image* given, const char* name) {
  TESSERA_RETURN_IF_ERROR(check_not_null(given, name));
  TESSERA_ASSIGN_OR_RETURN(ImageView view, read_layout(given));
  TESSERA_ASSIGN_OR_RETURN(const tessera_image image, read_options(given, "tessera_image"));
  if (image.pixels == nullptr) {
    return usage_error(std::string("the pixels of ") + name + " are NULL");
  }
  if (reinterpret_cast<uintptr_t>(image.pixels) % sample_bytes(view.info.sample) != 0) {
    return usage_error("pixels must begin at a multiple of a sample's bytes");
  }
  view.data = static_cast<const uint8_t*>(image.pixels);
  return view;
}

Result<DeviceImage> read_device_image(const tessera_device_image* given, const char* name) {
  TESSERA_RETURN_IF_ERROR(check_not_null(given, name));
  TESSERA_ASSIGN_OR_RETURN(const tessera_device_image image,
                           read_options(given, "tessera_device_image"));
  TESSERA_RETURN_IF_ERROR(check_not_null(image.pixels, "pixels"));
  ImageInfo info;
  info.width = image.width;
  info.height = image.height;
  TESSERA_RETURN_IF_ERROR(layout_of(info));
  if (image.row_bytes % 4 != 0 || image.row_bytes / 4 < image.width) {
    return usage_error("the rows of a device's image are too short, or not of whole pixels");
  }
  return DeviceImage{image.pixels, image.row_bytes, image.width, image.height};
}

void give_picture(Image image, SharedMemory memory, tessera_picture** out) {
  auto picture = std::make_unique<tessera_picture>();
  picture->memory = std::move(memory);
  picture->image = std::move(image);
  *out = picture.release();
}

void give_file(LargeBytes bytes, SharedMemory memory, tessera_buffer** out) {
  auto buffer = std::make_unique<tessera_buffer>();
  buffer->memory = std::move(memory);
  buffer->size = bytes.size();
  buffer->made = std::move(bytes);
  *out = buffer.release();
}

void give_bytes(Bytes bytes, tessera_buffer** out) {
  auto buffer = std::make_unique<tessera_buffer>();
  buffer->size = bytes.size();
  buffer->other = std::move(bytes);
  *out = buffer.release();
}

void give_text(const std::string& text, tessera_buffer** out) {
  Bytes bytes(text.begin(), text.end());
  bytes.push_back(0);
  give_bytes(std::move(bytes), out);
  (*out)->size = text.size();
}

}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_picture_image(const tessera_picture* picture, tessera_image* image,
                                     tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(picture, "picture"));
    TESSERA_RETURN_IF_ERROR(check_not_null(image, "image"));
    const ImageView view = picture->image.view();
    tessera_image result = TESSERA_IMAGE_INIT;
    result.pixels = view.data;
    result.width = view.info.width;
    result.height = view.info.height;
    result.depth = view.info.depth;
    result.layers = view.info.layers;
    result.channels = view.info.channels;
    result.sample = to_c(view.info.sample);
    result.color_space =
        view.info.color_space == ColorSpace::kSrgb ? TESSERA_COLOR_SRGB : TESSERA_COLOR_LINEAR;
    result.row_stride = view.row_stride;
    result.slice_stride = view.slice_stride;
    return write_result(result, image, "tessera_image");
  });
}

void tessera_picture_destroy(tessera_picture* picture) {
  delete picture;
}

const uint8_t* tessera_buffer_data(const tessera_buffer* buffer) {
  return buffer != nullptr ? buffer->data() : nullptr;
}

size_t tessera_buffer_size(const tessera_buffer* buffer) {
  return buffer != nullptr ? buffer->size : 0;
}

void tessera_buffer_destroy(tessera_buffer* buffer) {
  delete buffer;
}
