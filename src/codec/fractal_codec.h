// Fractal images for the pipeline: files in and out, and the module's work on a backend.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "exec/backend.h"
#include "fractal/fractal_image.h"
#include "image/metrics.h"

namespace tessera {

// The fractal module's threads, by a backend. The backend must outlive it.
fractal::ParallelFor parallel_on(Backend& backend, const RunControl& control);

struct FractalEncodeJob {
  std::string input;   // a path, or "-"
  std::string output;  // a path, or "-"
  fractal::EncodeSettings settings;
  bool grey = false;     // encode colour pictures as grey
  bool metrics = false;  // decode what was encoded and measure it
};

struct FractalEncodeReport {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t channels = 1;
  double encode_seconds = 0;
  size_t file_bytes = 0;
  bool alpha_dropped = false;
  std::optional<Metrics> metrics;
};

Result<FractalEncodeReport> encode_fractal_file(const FractalEncodeJob& job, Backend& backend,
                                                const RunControl& control);

// Its stages, for who has another place for the file than job.output.
struct FractalSource {
  Image image;  // 8-bit grey or RGB
  bool alpha_dropped = false;
};
Result<FractalSource> load_fractal_source(const FractalEncodeJob& job);

struct EncodedFractal {
  FractalEncodeReport report;
  Bytes bytes;
};
Result<EncodedFractal> encode_fractal_to_memory(const FractalEncodeJob& job,
                                                const FractalSource& source, Backend& backend,
                                                const RunControl& control);

// Writes the picture after each pass of decoding, from none on, as DIR/step00.png, step01.png, …
Status write_fractal_steps(const std::string& input, const fractal::DecodeSettings& settings,
                           const std::string& folder, Backend& backend, const RunControl& control);

}  // namespace tessera
