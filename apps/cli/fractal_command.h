// What the verbs offer for fractal images (.tsf).
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "batch.h"
#include "fractal/fractal_image.h"
#include "mpi_options.h"
#include "report_json.h"

namespace tessera::cli {

struct FractalEncodeOptions {
  std::optional<float> quality;  // 1…100
  std::optional<double> bits_per_pixel;
  bool pure = false;
  bool dct_only = false;
  bool grey = false;
  std::string search;  // names the paper's coder and its kernel
  std::optional<double> epsilon;
  std::optional<uint32_t> depth;
  bool half_turns = false;
};

void add_fractal_encode_options(CLI::App& command, FractalEncodeOptions& options);

// Whether a fractal image is asked for, by format or by the output's name.
bool wants_fractal(const std::string& format, const BatchOptions& batch);

// kUsage when options were given that no other format knows.
Status check_no_fractal_options(const FractalEncodeOptions& options);

int run_fractal_encode(const BatchOptions& batch, const MpiOptions& mpi,
                       const FractalEncodeOptions& options, bool metrics);

struct FractalDecodeOptions {
  std::optional<uint32_t> iterations;
  uint32_t scale = 1;
  std::string steps;
};

void add_fractal_decode_options(CLI::App& command, FractalDecodeOptions& options);
Status check_fractal_decode(const FractalDecodeOptions& options, const BatchOptions& batch);

Result<Json> describe_fractal(ByteSpan bytes, const std::string& name);
void print_fractal(const Json& object);

}  // namespace tessera::cli
