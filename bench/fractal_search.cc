// Measures the kernels of the paper's search and plots them against the core's peak rates.
#include "fractal_search.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "files/file.h"
#include "fractal/color_planes.h"
#include "fractal/paper_coder.h"
#include "image/convert.h"
#include "image/synthetic.h"
#include "svg_plot.h"
#include "thread_clock.h"

namespace tessera::bench {
namespace {

using fractal::BlockMatch;
using fractal::BlockPosition;
using fractal::Plane;
using fractal::SearchKernel;
using fractal::SearchTask;
using Clock = ThreadClock;

constexpr uint32_t kLargest = 2048;

double seconds_since(Clock::time_point start) {
  return Clock::now() - start;
}

Plane<uint8_t> test_picture(uint32_t side) {
  const Image photo = make_synthetic_image(SyntheticKind::kPhoto, side, side).value();
  const Image grey = convert_channels(photo.view(), 1).value();
  return fractal::split_grey(grey.view(), 0, 0, side, side);
}

// At most 7, and no blocks below 4x4.
uint32_t depth_of(uint32_t side) {
  uint32_t depth = 0;
  for (; depth < 7 && (side >> (depth + 1)) >= 4; ++depth) {
  }
  return depth;
}

std::vector<BlockPosition> grid(uint32_t extent, uint32_t side, uint32_t stride) {
  std::vector<BlockPosition> blocks;
  for (uint32_t y = 0; y + side <= extent; y += stride) {
    for (uint32_t x = 0; x + side <= extent; x += stride) {
      blocks.push_back({x, y});
    }
  }
  return blocks;
}

void run_kernel(SearchKernel kernel, const SearchTask& task, std::vector<BlockMatch>& matches) {
  if (kernel == SearchKernel::kBaseline) {
    fractal::search_baseline(task, matches);
  } else if (kernel == SearchKernel::kScalar) {
    fractal::search_scalar(task, matches);
  } else {
    fractal::search_simd(task, fractal::pack_domains(task), task.ranges, matches);
  }
}

// Seconds a range of one level: measured on as many ranges as fit a tenth of a second, spread over
// the image.
double seconds_a_range(const Plane<uint8_t>& image, const Plane<uint16_t>& half,
                       SearchKernel kernel, uint32_t block_side) {
  const auto all = grid(image.width, block_side, block_side);
  const auto domains = grid(half.width, block_side, block_side);
  size_t count = 1;
  for (;;) {
    std::vector<BlockPosition> some;
    for (size_t i = 0; i < count; ++i) {
      some.push_back(all[i * all.size() / count]);
    }
    std::vector<BlockMatch> matches(some.size());
    const SearchTask task = {&image, &half, block_side, some, domains, fractal::RotationSet::kAll};
    const auto start = Clock::now();
    run_kernel(kernel, task, matches);
    const double seconds = seconds_since(start);
    if (seconds > 0.1 || count == all.size()) {
      return seconds / static_cast<double>(count);
    }
    count = std::min(all.size(), count * 2);
  }
}

struct Work {
  double flops = 0;
  double products = 0;  // Σ ranges · domains · n
};

Work work_of(const std::vector<fractal::PaperLevel>& levels) {
  Work work;
  for (const fractal::PaperLevel& level : levels) {
    const double pairs = static_cast<double>(level.ranges) * static_cast<double>(level.domains);
    const double n = static_cast<double>(level.side) * level.side;
    work.flops += pairs * (18 * n + 18);
    work.products += pairs * n;
  }
  return work;
}

void add_rows(uint32_t side, double epsilon, std::vector<SearchRow>& rows) {
  const Plane<uint8_t> image = test_picture(side);
  const Plane<uint16_t> half = fractal::sums_of_four(image);
  fractal::PaperSettings settings;
  settings.depth = depth_of(side);
  settings.epsilon = epsilon;
  double best = 1e9;
  std::vector<fractal::PaperLevel> levels;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    levels = fractal::encode_paper(image, settings, fractal::run_serially).value().levels;
    best = std::min(best, seconds_since(start));
  }
  const Work work = work_of(levels);
  for (const SearchKernel kernel : {SearchKernel::kBaseline, SearchKernel::kScalar}) {
    double seconds = 0;
    for (const fractal::PaperLevel& level : levels) {
      seconds +=
          seconds_a_range(image, half, kernel, level.side) * static_cast<double>(level.ranges);
    }
    rows.push_back({kernel == SearchKernel::kBaseline ? "baseline" : "scalar", side, epsilon,
                    seconds, true, work.flops, 4 * work.products});
  }
  rows.push_back({"simd", side, epsilon, best, false, work.flops, 1.5 * work.products});
}

// The peak and the kernel take turns, in runs of about the same length: both meet the same load and
// clock.
void measure_kernel(SearchReport& report) {
  const Plane<uint8_t> image = test_picture(kLargest);
  const Plane<uint16_t> half = fractal::sums_of_four(image);
  const uint32_t side = kLargest >> 7;
  const auto all = grid(kLargest, side, side);
  const std::vector<BlockPosition> ranges(all.begin(), all.begin() + 3072);
  const auto domains = grid(kLargest / 2, side, side);
  const SearchTask task = {&image, &half, side, ranges, domains, fractal::RotationSet::kAll};
  const auto packed = fractal::pack_domains(task);
  std::vector<BlockMatch> matches(ranges.size());
  report.kernel_seconds = 1e9;
  for (int i = 0; i < 12; ++i) {
    const PeakRates peak = measure_peak_rates();
    report.peak.float_multiply_adds =
        std::max(report.peak.float_multiply_adds, peak.float_multiply_adds);
    report.peak.int16_multiply_adds =
        std::max(report.peak.int16_multiply_adds, peak.int16_multiply_adds);
    report.peak.bytes = std::max(report.peak.bytes, peak.bytes);
    const auto start = Clock::now();
    fractal::search_simd(task, packed, ranges, matches);
    report.kernel_seconds = std::min(report.kernel_seconds, seconds_since(start));
  }
  report.kernel_multiply_adds =
      1.5 * side * side * static_cast<double>(ranges.size()) * static_cast<double>(domains.size());
}

void measure_every_position(SearchReport& report) {
  const Plane<uint8_t> image = test_picture(512);
  const Plane<uint16_t> half = fractal::sums_of_four(image);
  const auto ranges = grid(512, 4, 4);
  const auto domains = grid(256, 4, 1);
  const SearchTask task = {&image, &half, 4, ranges, domains, fractal::RotationSet::kAll};
  std::vector<BlockMatch> matches(ranges.size());
  report.every_position_seconds = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    run_kernel(SearchKernel::kSimd, task, matches);
    report.every_position_seconds = std::min(report.every_position_seconds, seconds_since(start));
  }
}

}  // namespace

SearchReport measure_searches() {
  SearchReport report;
  for (const uint32_t side : {256u, 512u, 1024u, kLargest}) {
    add_rows(side, 300, report.rows);
  }
  add_rows(kLargest, 0, report.rows);
  measure_kernel(report);
  measure_every_position(report);
  return report;
}

std::string searches_to_text(const SearchReport& report) {
  char line[256];
  std::snprintf(line, sizeof line,
                "peak: %.1f G float multiply-adds/s, %.1f G 16-bit multiply-adds/s, %.1f GB/s\n\n",
                report.peak.float_multiply_adds / 1e9, report.peak.int16_multiply_adds / 1e9,
                report.peak.bytes / 1e9);
  std::string text = line;
  text +=
      "| image | epsilon | search | seconds | times faster | paper's GFlop/s | G multiply-adds/s "
      "|\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  double baseline = 0;
  for (const SearchRow& row : report.rows) {
    if (row.kernel == "baseline") {
      baseline = row.seconds;
    }
    std::snprintf(line, sizeof line, "| %u² | %.0f | %s | %s%.3f | %.1f | %.2f | %.2f |\n",
                  row.image_side, row.epsilon, row.kernel.c_str(), row.sampled ? "≈ " : "",
                  row.seconds, baseline / row.seconds, row.flops / row.seconds / 1e9,
                  row.multiply_adds / row.seconds / 1e9);
    text += line;
  }
  const double rate = report.kernel_multiply_adds / report.kernel_seconds;
  std::snprintf(line, sizeof line,
                "\ndot-product kernel, 16x16 blocks: %.1f G multiply-adds/s in %.3f s, %.0f %% of "
                "the 16-bit peak, %.0f %% of the float peak\n",
                rate / 1e9, report.kernel_seconds, 100 * rate / report.peak.int16_multiply_adds,
                100 * rate / report.peak.float_multiply_adds);
  text += line;
  std::snprintf(line, sizeof line,
                "512x512, 4x4 ranges, every half-resolution position, four rotations: %.3f s\n",
                report.every_position_seconds);
  return text + line;
}

Status write_search_plots(const SearchReport& report, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return io_error("the folder " + folder + " cannot be made: " + error.message());
  }
  SvgPlot roofline("Roofline", "flops a byte, bytes = 8 times the pixels", "GFlop/s");
  roofline.use_log_x();
  roofline.use_log_y();
  SvgPlot performance("Performance", "side of the image, pixels", "GFlop/s");
  performance.use_log_y();
  SvgPlot runtime("Run time", "side of the image, pixels", "seconds");
  runtime.use_log_y();
  double highest = 1;
  for (const char* kernel : {"baseline", "scalar", "simd"}) {
    std::vector<PlotPoint> roof_points;
    std::vector<PlotPoint> rates;
    std::vector<PlotPoint> times;
    for (const SearchRow& row : report.rows) {
      if (row.kernel != kernel || row.epsilon == 0) {
        continue;
      }
      const double side = row.image_side;
      const double intensity = row.flops / (8 * side * side);
      highest = std::max(highest, intensity);
      roof_points.push_back({intensity, row.flops / row.seconds / 1e9});
      rates.push_back({side, row.flops / row.seconds / 1e9});
      times.push_back({side, row.seconds});
    }
    roofline.add_line(kernel, roof_points);
    performance.add_line(kernel, rates);
    runtime.add_line(kernel, times);
  }
  const double float_roof = 2 * report.peak.float_multiply_adds / 1e9;
  const double int_roof = 2 * report.peak.int16_multiply_adds / 1e9;
  const double bandwidth = report.peak.bytes / 1e9;
  roofline.add_limit(
      "float multiply-add peak",
      {{0.1, 0.1 * bandwidth}, {float_roof / bandwidth, float_roof}, {highest * 2, float_roof}});
  roofline.add_limit("16-bit multiply-add peak", {{float_roof / bandwidth, float_roof},
                                                  {int_roof / bandwidth, int_roof},
                                                  {highest * 2, int_roof}});
  const std::pair<const char*, std::string> files[] = {{"roofline.svg", roofline.finish()},
                                                       {"performance.svg", performance.finish()},
                                                       {"runtime.svg", runtime.finish()}};
  for (const auto& [name, svg] : files) {
    TESSERA_RETURN_IF_ERROR(write_file((std::filesystem::path(folder) / name).string(),
                                       {reinterpret_cast<const uint8_t*>(svg.data()), svg.size()}));
  }
  return {};
}

}  // namespace tessera::bench
