// Binds places, encoders and tile encoders.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tessera/tessera.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "arrays.h"
#include "bindings.h"
#include "errors.h"
#include "place.h"
#include "results.h"
#include "source.h"
#include "work.h"

namespace py = pybind11;

namespace tessera_python {
namespace {

// A bytes object of this size, whose content the caller writes before anybody else sees it.
py::bytes make_bytes(size_t size) {
  PyObject* const object = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (object == nullptr) {
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::bytes>(object);
}

std::span<uint8_t> content_of(const py::bytes& bytes) {
  return {reinterpret_cast<uint8_t*>(PyBytes_AS_STRING(bytes.ptr())),
          static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

// Making an encoder builds tables, so others may run meanwhile.
std::unique_ptr<tessera::Encoder> make_encoder(const tessera::EncodeOptions& options) {
  const auto create = [&] {
    const py::gil_scoped_release unlocked;
    return tessera::Encoder::create(options);
  };
  return std::make_unique<tessera::Encoder>(value_or_raise(create()));
}

std::unique_ptr<tessera::TileEncoder> make_tile_encoder(const tessera::EncodeOptions& options,
                                                        uint32_t concurrency) {
  const auto create = [&] {
    const py::gil_scoped_release unlocked;
    return tessera::TileEncoder::create(options, concurrency);
  };
  return std::make_unique<tessera::TileEncoder>(value_or_raise(create()));
}

// A whole file and the report on it.
py::tuple encode(const tessera::Encoder& encoder, const py::object& pixels, bool volume,
                 const Place& place, const py::object& progress) {
  const ArrayImage source = image_of(pixels, volume);
  tessera::EncodeReport report = TESSERA_ENCODE_REPORT_INIT;
  std::optional<tessera::Result<tessera::Bytes>> file;
  Work(progress).run(
      [&](const tessera::Control& control) {
        file.emplace(encoder.encode(source.image, place.context(), control, &report));
      },
      place.on_calling_thread());
  place.warn_of_notes();
  const tessera::Bytes bytes = value_or_raise(*std::move(file));
  return py::make_tuple(py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                        to_dict(report));
}

// A texture as another one.
py::bytes transcode(const tessera::Encoder& encoder, const py::object& path_or_bytes,
                    const Place& place, const py::object& progress, const tessera::Limits& limits) {
  const Source source(path_or_bytes, limits);
  std::optional<tessera::Result<tessera::Bytes>> file;
  Work(progress, limits)
      .run(
          [&](const tessera::Control& control) {
            file.emplace(
                encoder.transcode(source.bytes(), source.name(), place.context(), control));
          },
          place.on_calling_thread());
  place.warn_of_notes();
  const tessera::Bytes bytes = value_or_raise(*std::move(file));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

py::bytes encode_blocks(const tessera::Encoder& encoder, const py::object& pixels, bool volume,
                        const Place& place, const py::object& progress) {
  const ArrayImage source = image_of(pixels, volume);
  py::bytes blocks = make_bytes(value_or_raise(encoder.payload_size(source.image)));
  tessera::Status status;
  Work(progress).run(
      [&](const tessera::Control& control) {
        status = encoder.encode_blocks(source.image, content_of(blocks), place.context(), control);
      },
      place.on_calling_thread());
  place.warn_of_notes();
  check(status);
  return blocks;
}

// A JSON text.
std::string advise(const tessera::Encoder& encoder, const py::object& pixels, bool volume,
                   const Place& place, const py::object& progress) {
  const ArrayImage source = image_of(pixels, volume);
  std::optional<tessera::Result<tessera::Bytes>> text;
  Work(progress).run(
      [&](const tessera::Control& control) {
        text.emplace(encoder.advise(source.image, place.context(), control));
      },
      place.on_calling_thread());
  place.warn_of_notes();
  return std::string(value_or_raise(*std::move(text)).text());
}

void encode_tile_to(tessera::TileEncoder& encoder, const ArrayImage& tile, std::span<uint8_t> out) {
  const auto encode_unlocked = [&] {
    const py::gil_scoped_release unlocked;
    return encoder.encode(static_cast<const uint8_t*>(tile.image.pixels), tile.image.row_stride,
                          tile.image.width, tile.image.height, out);
  };
  check(encode_unlocked());
}

size_t tile_size(const tessera::TileEncoder& encoder, uint32_t width, uint32_t height) {
  const size_t size = encoder.tile_size(width, height);
  if (size == 0) {
    raise_usage("a tile cannot have " + std::to_string(width) + "x" + std::to_string(height) +
                " pixels");
  }
  return size;
}

py::bytes encode_tile(tessera::TileEncoder& encoder, const py::object& pixels) {
  const ArrayImage tile = tile_of(pixels);
  py::bytes blocks = make_bytes(tile_size(encoder, tile.image.width, tile.image.height));
  encode_tile_to(encoder, tile, content_of(blocks));
  return blocks;
}

size_t encode_tile_into(tessera::TileEncoder& encoder, const py::object& pixels,
                        const py::object& out) {
  const ArrayImage tile = tile_of(pixels);
  const size_t size = tile_size(encoder, tile.image.width, tile.image.height);
  const BufferView memory(out, true);
  if (memory.bytes().size() < size) {
    raise_usage("the tile's blocks have " + std::to_string(size) +
                " bytes, but there is room for " + std::to_string(memory.bytes().size()));
  }
  encode_tile_to(encoder, tile, memory.bytes().first(size));
  return size;
}

void bind_options(py::module_& module) {
  py::class_<tessera::Option>(module, "Option").def(py::init<std::string, std::string>());
  py::class_<tessera::EncodeOptions>(module, "EncodeOptions")
      .def(py::init<>())
      .def_readwrite("format", &tessera::EncodeOptions::format)
      .def_readwrite("block", &tessera::EncodeOptions::block)
      .def_readwrite("preset", &tessera::EncodeOptions::preset)
      .def_readwrite("use", &tessera::EncodeOptions::use)
      .def_readwrite("profile", &tessera::EncodeOptions::profile)
      .def_readwrite("swizzle", &tessera::EncodeOptions::swizzle)
      .def_readwrite("container", &tessera::EncodeOptions::container)
      .def_readwrite("mips", &tessera::EncodeOptions::mips)
      .def_readwrite("linear", &tessera::EncodeOptions::linear)
      .def_readwrite("normal_map", &tessera::EncodeOptions::normal_map)
      .def_readwrite("metrics", &tessera::EncodeOptions::metrics)
      .def_readwrite("transcode", &tessera::EncodeOptions::transcode)
      .def_readwrite("source_profile", &tessera::EncodeOptions::source_profile)
      .def_readwrite("options", &tessera::EncodeOptions::options)
      .def_readwrite("keys", &tessera::EncodeOptions::keys);
}

}  // namespace

void bind_encoding(py::module_& module) {
  bind_options(module);
  py::class_<Place>(module, "Place")
      .def(py::init<const std::string&, uint32_t, std::optional<uint32_t>>())
      .def_property_readonly("backend", [](const Place& p) { return p.context()->backend(); })
      .def_property_readonly("threads", [](const Place& p) { return p.context()->threads(); })
      .def_property_readonly("rank", [](const Place& p) { return p.context()->rank(); });
  py::class_<tessera::Encoder>(module, "Encoder")
      .def(py::init(&make_encoder))
      .def("info", [](const tessera::Encoder& encoder) { return to_dict(encoder.info()); })
      .def("encode", &encode)
      .def("encode_blocks", &encode_blocks)
      .def("advise", &advise)
      .def("transcode", &transcode)
      .def("payload_size",
           [](const tessera::Encoder& encoder, const py::object& pixels, bool volume) {
             return value_or_raise(encoder.payload_size(image_of(pixels, volume).image));
           });
  py::class_<tessera::TileEncoder>(module, "TileEncoder")
      .def(py::init(&make_tile_encoder))
      .def("tile_size", &tile_size)
      .def("encode", &encode_tile)
      .def("encode_into", &encode_tile_into);
}

}  // namespace tessera_python
