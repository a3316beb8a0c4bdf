#include "codec/fractal_codec.h"

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "base/file.h"
#include "image/convert.h"
#include "imageio/image_file.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// 8-bit grey or RGB.
Result<Image> prepare(const ImageView& source, const FractalEncodeJob& job) {
  const bool grey = job.grey || job.settings.paper || source.info.channels <= 2;
  TESSERA_ASSIGN_OR_RETURN(Image image, convert_channels(source, grey ? 1 : 3));
  if (image.info().sample != SampleType::kU8) {
    return convert_samples(image.view(), SampleType::kU8);
  }
  return image;
}

}  // namespace

fractal::ParallelFor parallel_on(Backend& backend, const RunControl& control) {
  return [&backend, control, done = std::make_shared<double>(0.0)](
             size_t count, size_t grain, double share, const fractal::RangeCall& call) -> Status {
    RunControl part = {{}, control.cancelled};
    const double before = *done;
    if (control.progress && share > 0) {
      part.progress = [&](double fraction) {
        control.progress(std::min(before + share * fraction, 1.0));
      };
    }
    *done = before + share;
    return backend.run(
        {count, grain},
        [&](size_t begin, size_t end) -> Status {
          call(begin, end);
          return {};
        },
        part);
  };
}

Result<FractalEncodeReport> encode_fractal_file(const FractalEncodeJob& job, Backend& backend,
                                                const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_writable(job.output));
  TESSERA_ASSIGN_OR_RETURN(const FractalSource source, load_fractal_source(job));
  TESSERA_ASSIGN_OR_RETURN(const EncodedFractal encoded,
                           encode_fractal_to_memory(job, source, backend, control));
  TESSERA_RETURN_IF_ERROR(write_file(job.output, encoded.bytes));
  return encoded.report;
}

Result<FractalSource> load_fractal_source(const FractalEncodeJob& job) {
  TESSERA_ASSIGN_OR_RETURN(const Bytes input, read_file(job.input));
  TESSERA_ASSIGN_OR_RETURN(const Image picture, decode_image(input, input_display_name(job.input)));
  FractalSource source;
  TESSERA_ASSIGN_OR_RETURN(source.image, prepare(picture.view(), job));
  source.alpha_dropped = !is_opaque(picture.view());
  return source;
}

Result<EncodedFractal> encode_fractal_to_memory(const FractalEncodeJob& job,
                                                const FractalSource& source, Backend& backend,
                                                const RunControl& control) {
  const Image& image = source.image;
  EncodedFractal result;
  FractalEncodeReport& report = result.report;
  report.width = image.width();
  report.height = image.height();
  report.channels = image.info().channels;
  report.alpha_dropped = source.alpha_dropped;
  const auto start = Clock::now();
  const auto parallel = parallel_on(backend, control);
  auto encoded = fractal::encode_fractal(image.view(), job.settings, parallel);
  if (!encoded) {
    return Error{encoded.error().code,
                 input_display_name(job.input) + ": " + encoded.error().message};
  }
  report.encode_seconds = seconds_since(start);
  report.file_bytes = encoded->size();
  if (job.metrics) {
    const auto quiet = parallel_on(backend, {{}, control.cancelled});
    TESSERA_ASSIGN_OR_RETURN(const Image decoded,
                             fractal::decode_fractal(*encoded, {}, quiet, job.output));
    TESSERA_ASSIGN_OR_RETURN(report.metrics, compute_metrics(image.view(), decoded.view()));
  }
  result.bytes = std::move(*encoded);
  return result;
}

Status write_fractal_steps(const std::string& input, const fractal::DecodeSettings& settings,
                           const std::string& folder, Backend& backend, const RunControl& control) {
  const std::string name = input_display_name(input);
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(input));
  TESSERA_ASSIGN_OR_RETURN(const fractal::TsfFile file, fractal::read_tsf(bytes, name));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return io_error("the folder " + folder + " cannot be made: " + error.message());
  }
  const auto parallel = parallel_on(backend, {{}, control.cancelled});
  const uint32_t last = settings.iterations.value_or(file.header.iterations);
  for (uint32_t pass = 0; pass <= last; ++pass) {
    fractal::DecodeSettings step_settings = settings;
    step_settings.iterations = pass;
    TESSERA_ASSIGN_OR_RETURN(const Image image,
                             fractal::decode_fractal(bytes, step_settings, parallel, name));
    TESSERA_ASSIGN_OR_RETURN(const Bytes picture, encode_image(image.view(), ImageFileType::kPng));
    char step[32];
    std::snprintf(step, sizeof step, "step%02u.png", pass);
    TESSERA_RETURN_IF_ERROR(write_file((std::filesystem::path(folder) / step).string(), picture));
  }
  return {};
}

}  // namespace tessera
