// Views of NumPy arrays as images, with a copy only where pixels of a row do not lie side by side.
#include "arrays.h"

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"

namespace py = pybind11;

namespace tessera_python {
namespace {

// Slices, rows, columns, channels.
struct Axes {
  std::array<py::ssize_t, 4> extents = {1, 1, 1, 1};
  std::array<py::ssize_t, 4> strides = {0, 0, 0, 0};  // bytes

  py::ssize_t row_bytes(py::ssize_t sample_bytes) const {
    return extents[2] * extents[3] * sample_bytes;
  }
};

Axes axes_of(const py::array& array) {
  const py::ssize_t dimensions = array.ndim();
  if (dimensions < 2 || dimensions > 4) {
    raise_usage(
        "an image has the shape (height, width), (height, width, channels) or (slices, "
        "height, width, channels), not " +
        std::to_string(dimensions) + " dimensions");
  }
  Axes axes;
  axes.strides[3] = array.itemsize();
  const size_t first = dimensions == 4 ? 0 : 1;
  for (py::ssize_t i = 0; i < dimensions; ++i) {
    axes.extents[first + static_cast<size_t>(i)] = array.shape(i);
    axes.strides[first + static_cast<size_t>(i)] = array.strides(i);
  }
  for (const py::ssize_t extent : axes.extents) {
    if (extent < 1 || extent > py::ssize_t{std::numeric_limits<uint32_t>::max()}) {
      raise_usage("an image needs at least one pixel and less than 2^32 of them along a side");
    }
  }
  if (axes.extents[3] > 4) {
    raise_usage("a pixel has 1 to 4 channels, which are the last axis, not " +
                std::to_string(axes.extents[3]));
  }
  return axes;
}

// Whether the library can read the pixels where they are. NumPy gives axes of one element any
// stride.
bool readable_in_place(const py::array& array, const Axes& axes) {
  const auto& [slices, rows, columns, channels] = axes.extents;
  const py::ssize_t sample = array.itemsize();
  const py::ssize_t row_bytes = axes.row_bytes(sample);
  const py::ssize_t row_stride = rows == 1 ? row_bytes : axes.strides[1];
  const bool aligned = (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
  return aligned && (channels == 1 || axes.strides[3] == sample) &&
         (columns == 1 || axes.strides[2] == channels * sample) && row_stride >= row_bytes &&
         (slices == 1 || axes.strides[0] >= rows * row_stride);
}

py::array in_native_order(const py::array& array) {
  const py::dtype type = array.dtype();
  if (type.attr("isnative").cast<bool>()) {
    return array;
  }
  return array.attr("astype")(type.attr("newbyteorder")("=")).cast<py::array>();
}

}  // namespace

tessera::Sample sample_of(const py::dtype& type) {
  const char kind = type.kind();
  const py::ssize_t bytes = type.itemsize();
  if (kind == 'u' && bytes == 1) {
    return tessera::Sample::kU8;
  }
  if (kind == 'u' && bytes == 2) {
    return tessera::Sample::kU16;
  }
  if (kind == 'f' && bytes == 2) {
    return tessera::Sample::kF16;
  }
  if (kind == 'f' && bytes == 4) {
    return tessera::Sample::kF32;
  }
  throw py::type_error("samples are uint8, uint16, float16 or float32, not " +
                       type.attr("name").cast<std::string>());
}

py::dtype dtype_of(tessera::Sample sample) {
  switch (sample) {
    case tessera::Sample::kU8:
      return py::dtype("uint8");
    case tessera::Sample::kU16:
      return py::dtype("uint16");
    case tessera::Sample::kF16:
      return py::dtype("float16");
    case tessera::Sample::kF32:
      break;
  }
  return py::dtype("float32");
}

ArrayImage image_of(const py::object& pixels, bool volume) {
  py::array array = py::array::ensure(pixels);
  if (!array) {
    throw py::error_already_set();
  }
  const tessera::Sample sample = sample_of(array.dtype());
  array = in_native_order(array);
  Axes axes = axes_of(array);
  if (!readable_in_place(array, axes)) {
    array = array.attr("copy")("C").cast<py::array>();
    axes = axes_of(array);
  }
  tessera::Image image;
  image.pixels = array.data();
  image.width = static_cast<uint32_t>(axes.extents[2]);
  image.height = static_cast<uint32_t>(axes.extents[1]);
  (volume ? image.depth : image.layers) = static_cast<uint32_t>(axes.extents[0]);
  image.channels = static_cast<uint32_t>(axes.extents[3]);
  image.sample = sample;
  image.color_space = sample == tessera::Sample::kU8 || sample == tessera::Sample::kU16
                          ? tessera::ColorSpace::kSrgb
                          : tessera::ColorSpace::kLinear;
  image.row_stride =
      static_cast<size_t>(image.height == 1 ? axes.row_bytes(array.itemsize()) : axes.strides[1]);
  image.slice_stride = image.slices() == 1 ? 0 : static_cast<size_t>(axes.strides[0]);
  return {std::move(array), image};
}

ArrayImage tile_of(const py::object& pixels) {
  ArrayImage tile = image_of(pixels);
  if (tile.image.sample != tessera::Sample::kU8 || tile.image.channels != 4 ||
      tile.array.ndim() != 3) {
    raise_usage("a tile is an array of uint8 with the shape (height, width, 4)");
  }
  return tile;
}

py::array array_of(tessera::Picture picture) {
  auto owner = std::make_unique<tessera::Picture>(std::move(picture));
  const tessera::Image image = owner->image();
  const py::dtype type = dtype_of(image.sample);
  const size_t pixel_bytes = image.channels * static_cast<size_t>(type.itemsize());
  const size_t row_stride = image.row_stride != 0 ? image.row_stride : image.width * pixel_bytes;
  const size_t slice_stride =
      image.slice_stride != 0 ? image.slice_stride : image.height * row_stride;
  std::vector<size_t> shape = {image.height, image.width, image.channels};
  std::vector<size_t> strides = {row_stride, pixel_bytes, static_cast<size_t>(type.itemsize())};
  if (image.slices() > 1) {
    shape.insert(shape.begin(), image.slices());
    strides.insert(strides.begin(), slice_stride);
  }
  const py::capsule capsule(owner.get(),
                            [](void* memory) { delete static_cast<tessera::Picture*>(memory); });
  static_cast<void>(owner.release());  // the capsule has it now
  return py::array(type, shape, strides, image.pixels, capsule);
}

}  // namespace tessera_python
