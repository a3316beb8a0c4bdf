// Binds comparison, mip levels, samples, files, devices and the build.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <tessera/tessera.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "errors.h"
#include "results.h"
#include "source.h"

namespace py = pybind11;
using pybind11::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

namespace tessera_python {
namespace {

// Calls `call` without the interpreter lock; for calls that are too short to be stopped.
template <class Call>
auto unlocked(Call call) {
  const py::gil_scoped_release release;
  return call();
}

py::dict compare(const py::object& reference, const py::object& test, uint32_t block_width,
                 uint32_t block_height) {
  const ArrayImage a = image_of(reference);
  const ArrayImage b = image_of(test);
  return to_dict(value_or_raise(
      unlocked([&] { return tessera::compare(a.image, b.image, block_width, block_height); })));
}

py::array comparison_sheet(const py::object& reference, const py::object& test, double gain) {
  const ArrayImage a = image_of(reference);
  const ArrayImage b = image_of(test);
  return array_of(
      value_or_raise(unlocked([&] { return tessera::comparison_sheet(a.image, b.image, gain); })));
}

py::array annotated_sheet(const py::object& reference, const py::object& test,
                          const std::string& reference_name, const std::string& test_name,
                          double gain, uint32_t block_width, uint32_t block_height) {
  const ArrayImage a = image_of(reference);
  const ArrayImage b = image_of(test);
  const tessera::SheetOptions options = {reference_name, test_name, gain, block_width,
                                         block_height};
  return array_of(value_or_raise(
      unlocked([&] { return tessera::annotated_sheet(a.image, b.image, options); })));
}

py::array next_mip_level(const py::object& pixels, bool linear) {
  ArrayImage source = image_of(pixels);
  if (linear) {
    source.image.color_space = tessera::ColorSpace::kLinear;
  }
  return array_of(value_or_raise(unlocked([&] { return tessera::next_mip_level(source.image); })));
}

py::array sample(const std::string& kind, uint32_t width, uint32_t height, uint32_t seed) {
  return array_of(
      value_or_raise(unlocked([&] { return tessera::make_sample(kind, width, height, seed); })));
}

uint64_t write(const py::object& path, const py::object& pixels, const std::string& type,
               bool linear) {
  ArrayImage source = image_of(pixels);
  if (linear) {
    source.image.color_space = tessera::ColorSpace::kLinear;
  }
  const std::string name = path_of(path);
  return value_or_raise(unlocked([&] { return tessera::write(name, source.image, type); }));
}

uint64_t write_bytes(const py::object& path, const py::object& data) {
  const std::string name = path_of(path);
  const BufferView view(data, false);
  check(unlocked([&] { return tessera::write_bytes(name, view.bytes()); }));
  return view.bytes().size();
}

// No devices where this build or machine can have none.
py::list devices() {
  const auto found = unlocked([] { return tessera::devices(); });
  py::list list;
  if (!found.ok()) {
    if (found.error().code != tessera::ErrorCode::kUnsupported) {
      raise(found.error());
    }
    return list;
  }
  for (const tessera::Device& device : *found) {
    list.append(py::dict(
        "name"_a = device.name, "platform"_a = device.platform, "version"_a = device.version,
        "is_gpu"_a = device.is_gpu, "backend"_a = device.backend, "number"_a = device.number,
        "compute_units"_a = device.compute_units, "memory_bytes"_a = device.memory_bytes));
  }
  return list;
}

py::list option_list(bool decoding) {
  static constexpr const char* kKinds[] = {"flag", "integer", "number", "text", "choice"};
  py::list list;
  for (const tessera::OptionInfo& option :
       decoding ? tessera::decode_option_list() : tessera::encode_option_list()) {
    py::object least = py::none();
    py::object most = py::none();
    if (option.kind == TESSERA_OPTION_INTEGER || option.kind == TESSERA_OPTION_NUMBER) {
      least = py::float_(option.least);
      most = py::float_(option.most);
    }
    list.append(py::dict("name"_a = option.key, "formats"_a = option.formats,
                         "help"_a = option.help, "kind"_a = kKinds[option.kind],
                         "choices"_a = option.choices, "least"_a = least, "most"_a = most));
  }
  return list;
}

py::str describe_build() {
  const tessera::Bytes json = value_or_raise(tessera::describe_build());
  return to_str(std::string(json.text()));
}

}  // namespace

void bind_pictures(py::module_& module) {
  module.def("compare", &compare);
  module.def("comparison_sheet", &comparison_sheet);
  module.def("annotated_sheet", &annotated_sheet);
  module.def("next_mip_level", &next_mip_level);
  module.def("sample", &sample);
  module.def("write", &write);
  module.def("write_bytes", &write_bytes);
  module.def("devices", &devices);
  module.def("option_list", &option_list);
  module.def("describe_build", &describe_build);
  module.def("version", &tessera::version);
}

}  // namespace tessera_python
