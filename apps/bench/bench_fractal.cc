// Measures fractal images beside JPEG, and the searches of the paper.
#include "bench_fractal.h"

#include <cstdio>
#include <filesystem>

#include "bench_images.h"
#include "files/file.h"
#include "fractal_search.h"
#include "process.h"
#include "rate_distortion.h"
#include "run_bench.h"
#include "spmd/isa.h"

namespace tessera::cli {
namespace {

Status write_text(const std::string& path, const std::string& text) {
  return write_file(path, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace

void add_fractal_bench_options(CLI::App& command, FractalBenchOptions& options) {
  command.add_option("--roofline", options.plots,
                     "Fractal: also measure the paper's search (some minutes); a folder for the "
                     "plots");
  command.add_flag("--color", options.color, "Fractal: colour pictures, not grey ones");
}

Status bench_fractal(const FractalBenchOptions& options) {
  if (!options.csv.empty()) {
    TESSERA_RETURN_IF_ERROR(check_writable(options.csv));
  }
  TESSERA_ASSIGN_OR_RETURN(const std::vector<bench::BenchImage> images,
                           options.images.empty() ? bench::make_bench_images()
                                                  : bench::load_bench_images(options.images));
  if (options.threads == 1) {
    bench::pin_to_one_core();
  }
  Progress progress("bench", options.quiet);
  TESSERA_ASSIGN_OR_RETURN(const std::vector<bench::RateRow> rows,
                           bench::measure_rates(images, {options.color, options.threads},
                                                {progress.callback(), &is_interrupted()}));
  if (!options.csv.empty()) {
    TESSERA_RETURN_IF_ERROR(write_text(options.csv, bench::rates_to_csv(rows, options.color)));
  }
  const bool print = !options.quiet && options.csv != kStandardStream;
  if (print) {
    std::printf("fractal, %zu images, %s, %s\n\n%s", images.size(),
                options.color ? "colour" : "grey", active_isa().c_str(),
                bench::rates_to_text(rows).c_str());
  }
  if (options.plots.empty()) {
    return {};
  }
  const bench::SearchReport report = bench::measure_searches();
  TESSERA_RETURN_IF_ERROR(bench::write_search_plots(report, options.plots));
  const std::string title = options.color ? "Colour pictures" : "Grey pictures";
  TESSERA_RETURN_IF_ERROR(write_text(
      (std::filesystem::path(options.plots) / (options.color ? "rates_color.svg" : "rates.svg"))
          .string(),
      bench::rates_to_svg(rows, title)));
  if (print) {
    std::printf("\n%s", bench::searches_to_text(report).c_str());
  }
  return {};
}

}  // namespace tessera::cli
