// Binds decoding and what is known about files.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tessera/tessera.hpp>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "errors.h"
#include "place.h"
#include "source.h"
#include "work.h"

namespace py = pybind11;

namespace tessera_python {
namespace {

// The samples that keep all that a file holds: those of a picture, half floats for textures of high
// dynamic range, else 8 bits.
tessera::Sample natural_sample(const Source& source) {
  const tessera::FileInfo info = value_or_raise(tessera::inspect(source.bytes(), source.name()));
  if (std::string_view(info.kind) == "picture") {
    return static_cast<tessera::Sample>(info.sample);
  }
  return info.hdr != 0 ? tessera::Sample::kF16 : tessera::Sample::kU8;
}

py::array decode(const py::object& path_or_bytes, tessera::DecodeOptions options,
                 const std::optional<py::dtype>& type, const Place& place,
                 const py::object& progress, const tessera::Limits& limits) {
  const Source source(path_or_bytes, limits);
  if (type) {
    options.sample = sample_of(*type);
  } else if (options.profile == "hdr") {
    options.sample = tessera::Sample::kF16;
  } else {
    options.sample = natural_sample(source);
  }
  std::optional<tessera::Result<tessera::Picture>> picture;
  Work(progress, limits)
      .run(
          [&](const tessera::Control& control) {
            picture.emplace(tessera::decode(source.bytes(), options, place.context(), control,
                                            nullptr, source.name()));
          },
          place.on_calling_thread());
  place.warn_of_notes();
  return array_of(value_or_raise(*std::move(picture)));
}

// Decodes into `pixels`, which has been made for it: writable and without gaps.
void decode_blocks(const py::object& blocks, const std::string& format, const std::string& block,
                   const py::array& pixels, bool volume, tessera::DecodeOptions options,
                   const Place& place, const py::object& progress) {
  const BufferView source(blocks, false);
  const BufferView target(pixels, true);
  const tessera::Image image = image_of(pixels, volume).image;
  options.sample = image.sample;
  tessera::Status status;
  Work(progress).run(
      [&](const tessera::Control& control) {
        status = tessera::decode_blocks(format, block, source.bytes(), image, target.bytes().data(),
                                        options, place.context(), control);
      },
      place.on_calling_thread());
  place.warn_of_notes();
  check(status);
}

py::str describe(const py::object& path_or_bytes, bool statistics, const std::string& block,
                 const tessera::Limits& limits) {
  const Source source(path_or_bytes, limits);
  const auto describe_unlocked = [&] {
    const py::gil_scoped_release unlocked;
    return tessera::describe(source.bytes(), statistics, block, source.name(), {.limits = limits});
  };
  const tessera::Bytes json = value_or_raise(describe_unlocked());
  return to_str(std::string(json.text()));
}

}  // namespace

void bind_decoding(py::module_& module) {
  py::class_<tessera::Limits>(module, "Limits")
      .def(py::init([](uint64_t max_pixels, uint64_t max_memory, uint64_t max_file,
                       uint32_t max_seconds, bool untrusted) {
        return tessera::Limits{.max_pixels = max_pixels,
                               .max_memory = max_memory,
                               .max_file = max_file,
                               .max_seconds = max_seconds,
                               .untrusted = untrusted};
      }));
  py::class_<tessera::DecodeOptions>(module, "DecodeOptions")
      .def(py::init<>())
      .def_readwrite("profile", &tessera::DecodeOptions::profile)
      .def_readwrite("level", &tessera::DecodeOptions::level)
      .def_readwrite("options", &tessera::DecodeOptions::options);
  module.def("decode", &decode);
  module.def("decode_blocks", &decode_blocks);
  module.def("describe", &describe);
}

}  // namespace tessera_python
