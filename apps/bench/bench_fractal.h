// tessera bench --format fractal: rate and distortion beside JPEG, and the paper's search.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"

namespace tessera::cli {

struct FractalBenchOptions {
  std::string images;
  std::string csv;
  std::string plots;  // a folder: also measures the paper's search
  bool color = false;
  unsigned threads = 1;
  bool quiet = false;
};

void add_fractal_bench_options(CLI::App& command, FractalBenchOptions& options);
Status bench_fractal(const FractalBenchOptions& options);

}  // namespace tessera::cli
