// NumPy arrays as images of the library, and pictures of the library as NumPy arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <tessera/tessera.hpp>

namespace tessera_python {

// An image and the array that keeps its pixels alive: the caller's own where its pixels lie as the
// library can read them, else a copy.
struct ArrayImage {
  pybind11::array array;
  tessera::Image image;
};

// (height, width), (height, width, channels) or (slices, height, width, channels). The slices are
// layers of an array, or with `volume` the depth of a volume. Integer samples are sRGB, float
// samples are linear.
ArrayImage image_of(const pybind11::object& pixels, bool volume = false);

// A tile for TileEncoder: uint8 of shape (height, width, 4).
ArrayImage tile_of(const pybind11::object& pixels);

// Raises TypeError where the library has no such samples.
tessera::Sample sample_of(const pybind11::dtype& type);
pybind11::dtype dtype_of(tessera::Sample sample);

// The picture's own memory as an array of shape (height, width, channels), or with a leading axis
// where there are several slices.
pybind11::array array_of(tessera::Picture picture);

}  // namespace tessera_python
