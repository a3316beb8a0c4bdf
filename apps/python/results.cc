// Turns what the library tells about its work into dictionaries of Python.
#include "results.h"

namespace py = pybind11;
using pybind11::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

namespace tessera_python {

py::dict to_dict(const tessera::Metrics& metrics) {
  py::dict dict("psnr_rgb"_a = metrics.psnr_rgb, "psnr_rgba"_a = metrics.psnr_rgba,
                "psnr_alpha_weighted"_a = metrics.psnr_alpha_weighted, "ssim"_a = metrics.ssim,
                "max_error"_a = metrics.max_error,
                "worst_block"_a = py::make_tuple(metrics.worst_block_x, metrics.worst_block_y,
                                                 metrics.worst_block_slice),
                "worst_block_psnr_rgb"_a = metrics.worst_block_psnr_rgb);
  if (metrics.has_hdr != 0) {
    dict["mpsnr"] = metrics.mpsnr;
    dict["log_rmse"] = metrics.log_rmse;
    dict["psnr_peak"] = metrics.psnr_peak;
  }
  return dict;
}

py::dict to_dict(const tessera::EncodeReport& report) {
  py::dict dict("width"_a = report.width, "height"_a = report.height,
                "channels"_a = report.channels, "levels"_a = report.levels,
                "encoded_pixels"_a = report.encoded_pixels, "file_bytes"_a = report.file_bytes,
                "encode_seconds"_a = report.encode_seconds,
                "alpha_dropped"_a = report.alpha_dropped != 0, "metrics"_a = py::none(),
                "angular_error_mean"_a = py::none(), "angular_error_max"_a = py::none(),
                "profile"_a = report.profile);
  if (report.has_metrics != 0) {
    dict["metrics"] = to_dict(report.metrics);
  }
  if (report.has_angular_error != 0) {
    dict["angular_error_mean"] = report.angular_error_mean;
    dict["angular_error_max"] = report.angular_error_max;
  }
  return dict;
}

py::dict to_dict(const tessera::EncoderInfo& info) {
  return py::dict("format"_a = info.format, "preset"_a = info.preset, "method"_a = info.method,
                  "profile"_a = info.profile, "container"_a = info.container,
                  "block"_a = py::make_tuple(info.block_width, info.block_height, info.block_depth),
                  "block_bytes"_a = info.block_bytes);
}

}  // namespace tessera_python
