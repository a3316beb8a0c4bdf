// Encodes pictures at several rates as fractal images and as JPEG, and compares their quality.
#include "rate_distortion.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "files/pictures/jpeg.h"
#include "fractal/fractal_codec.h"
#include "image/convert.h"
#include "jpeg_rival.h"
#include "svg_plot.h"
#include "thread_clock.h"

namespace tessera::bench {
namespace {

using Clock = ThreadClock;  // threads that the backend adds are not counted

double seconds_since(Clock::time_point start) {
  return Clock::now() - start;
}

double psnr_of(const ImageView& a, const ImageView& b) {
  double sum = 0;
  const size_t samples = size_t{a.info.width} * a.info.channels;
  for (uint32_t y = 0; y < a.info.height; ++y) {
    const auto* one = a.row<uint8_t>(y);
    const auto* two = b.row<uint8_t>(y);
    for (size_t x = 0; x < samples; ++x) {
      const double difference = static_cast<double>(one[x]) - two[x];
      sum += difference * difference;
    }
  }
  const double count = static_cast<double>(samples) * a.info.height;
  return 10 * std::log10(255.0 * 255.0 * count / std::max(sum, 1e-9));
}

double rate_of(const Bytes& file, const ImageInfo& info) {
  return 8.0 * static_cast<double>(file.size()) / static_cast<double>(info.pixel_count());
}

constexpr int kJpegQualities[] = {2,  3,  4,  5,  6,  8,  10, 12, 15, 18,
                                  21, 25, 30, 35, 40, 50, 60, 70, 80, 90};
constexpr uint32_t kOurQualities[] = {4, 12, 20, 28, 36, 44, 52, 60, 68, 76, 84, 92, 100};

Result<std::vector<RatePoint>> jpeg_curve(const Image& image) {
  std::vector<RatePoint> curve;
  for (const int quality : kJpegQualities) {
    TESSERA_ASSIGN_OR_RETURN(const Bytes file, encode_jpeg(image.view(), quality));
    TESSERA_ASSIGN_OR_RETURN(const Image decoded, decode_jpeg(file, "jpeg"));
    curve.push_back({rate_of(file, image.info()), psnr_of(image.view(), decoded.view())});
  }
  return curve;
}

struct OurCurve {
  std::vector<RatePoint> points;
  double encode_seconds = 0;
  double decode_seconds = 0;  // of the file nearest to kDecodeRate
};

// The best of some decodes.
Result<double> decode_seconds(ByteSpan file, const fractal::ParallelFor& parallel) {
  constexpr int kDecodes = 15;
  double best = 1e9;
  for (int i = 0; i < kDecodes; ++i) {
    const auto start = Clock::now();
    TESSERA_RETURN_IF_ERROR(fractal::decode_fractal(file, {}, parallel, "ours"));
    best = std::min(best, seconds_since(start));
  }
  return best;
}

Result<OurCurve> our_curve(const Image& image, fractal::LeafChoice choice,
                           const fractal::ParallelFor& parallel) {
  OurCurve curve;
  const auto start = Clock::now();
  TESSERA_ASSIGN_OR_RETURN(const auto searched,
                           fractal::SearchedImage::search(image.view(), choice, parallel));
  const double search_seconds = seconds_since(start);
  double coding_seconds = 0;
  Bytes near_middle;
  for (const uint32_t quality : kOurQualities) {
    const auto coding = Clock::now();
    TESSERA_ASSIGN_OR_RETURN(const Bytes file, searched.encode(quality, parallel));
    coding_seconds += seconds_since(coding);
    const double rate = rate_of(file, image.info());
    TESSERA_ASSIGN_OR_RETURN(const Image decoded,
                             fractal::decode_fractal(file, {}, parallel, "ours"));
    curve.points.push_back({rate, psnr_of(image.view(), decoded.view())});
    if (near_middle.empty() ||
        std::abs(rate - kDecodeRate) < std::abs(rate_of(near_middle, image.info()) - kDecodeRate)) {
      near_middle = file;
    }
    if (rate > kCompareRates.back() * 1.2) {
      break;
    }
  }
  TESSERA_ASSIGN_OR_RETURN(curve.decode_seconds, decode_seconds(near_middle, parallel));
  curve.encode_seconds = search_seconds + coding_seconds / static_cast<double>(curve.points.size());
  return curve;
}

// Adds an image's curve to a row of sums.
void add_curve(const std::vector<RatePoint>& curve, RateRow& row) {
  row.psnr.resize(kCompareRates.size(), 0.0);
  for (size_t i = 0; i < kCompareRates.size(); ++i) {
    row.psnr[i] += psnr_at(curve, kCompareRates[i]);
  }
}

void divide(RateRow& row, double count) {
  for (size_t i = 0; i < row.psnr.size(); ++i) {
    row.psnr[i] /= count;
    row.points.push_back({kCompareRates[i], row.psnr[i]});
  }
  row.encode_seconds /= count;
}

}  // namespace

double psnr_at(const std::vector<RatePoint>& curve, double bits_per_pixel) {
  // Beyond the curve's ends its last piece goes on.
  size_t i = 1;
  while (i + 1 < curve.size() && curve[i].bits_per_pixel < bits_per_pixel) {
    ++i;
  }
  const RatePoint& low = curve[i - 1];
  const RatePoint& high = curve[i];
  const double from = std::log(low.bits_per_pixel);
  const double part = (std::log(bits_per_pixel) - from) / (std::log(high.bits_per_pixel) - from);
  return low.psnr + part * (high.psnr - low.psnr);
}

Result<std::vector<RateRow>> measure_rates(const std::vector<BenchImage>& images,
                                           const RateOptions& options, const RunControl& control) {
  constexpr fractal::LeafChoice kChoices[] = {
      fractal::LeafChoice::kPure, fractal::LeafChoice::kHybrid, fractal::LeafChoice::kDctOnly};
  std::vector<RateRow> rows(4);
  rows[0].coder = "jpeg";
  rows[1].coder = "pure";
  rows[2].coder = "hybrid";
  rows[3].coder = "dct only";
  const auto backend = make_cpu_backend(options.threads);
  const fractal::ParallelFor parallel = parallel_on(*backend, {{}, control.cancelled});
  double pixels = 0;
  std::vector<double> decode_seconds(4, 0.0);
  for (size_t i = 0; i < images.size(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(const Image image,
                             convert_channels(images[i].rgba.view(), options.color ? 3 : 1));
    TESSERA_ASSIGN_OR_RETURN(const auto jpeg, jpeg_curve(image));
    add_curve(jpeg, rows[0]);
    pixels += static_cast<double>(image.info().pixel_count());
    for (size_t k = 0; k < 3; ++k) {
      TESSERA_ASSIGN_OR_RETURN(const OurCurve curve, our_curve(image, kChoices[k], parallel));
      add_curve(curve.points, rows[k + 1]);
      rows[k + 1].encode_seconds += curve.encode_seconds;
      decode_seconds[k + 1] += curve.decode_seconds;
    }
    if (control.progress) {
      control.progress(static_cast<double>(i + 1) / static_cast<double>(images.size()));
    }
  }
  for (size_t k = 0; k < rows.size(); ++k) {
    divide(rows[k], static_cast<double>(images.size()));
    rows[k].decode_rate = decode_seconds[k] > 0 ? pixels / 1e6 / decode_seconds[k] : 0;
  }
  return rows;
}

std::string rates_to_text(const std::vector<RateRow>& rows) {
  std::string text = "| coder |";
  char buffer[64];
  for (const double rate : kCompareRates) {
    std::snprintf(buffer, sizeof buffer, " %.2f bpp |", rate);
    text += buffer;
  }
  text += " encode s | decode MP/s |\n| --- |";
  for (size_t i = 0; i < kCompareRates.size() + 2; ++i) {
    text += " --- |";
  }
  text += "\n";
  for (const RateRow& row : rows) {
    text += "| " + row.coder + " |";
    for (size_t i = 0; i < row.psnr.size(); ++i) {
      if (&row == &rows[0]) {
        std::snprintf(buffer, sizeof buffer, " %.2f |", row.psnr[i]);
      } else {
        std::snprintf(buffer, sizeof buffer, " %.2f (%+.2f) |", row.psnr[i],
                      row.psnr[i] - rows[0].psnr[i]);
      }
      text += buffer;
    }
    if (&row == &rows[0]) {
      text += " | |\n";
    } else {
      std::snprintf(buffer, sizeof buffer, " %.2f | %.0f |\n", row.encode_seconds, row.decode_rate);
      text += buffer;
    }
  }
  return text;
}

std::string rates_to_csv(const std::vector<RateRow>& rows, bool color) {
  std::string text = "coder,color,bpp,psnr,over_jpeg\n";
  char buffer[128];
  for (const RateRow& row : rows) {
    for (size_t i = 0; i < row.psnr.size(); ++i) {
      std::snprintf(buffer, sizeof buffer, "%s,%s,%.3f,%.4f,%.4f\n", row.coder.c_str(),
                    color ? "rgb" : "grey", kCompareRates[i], row.psnr[i],
                    row.psnr[i] - rows[0].psnr[i]);
      text += buffer;
    }
  }
  return text;
}

std::string rates_to_svg(const std::vector<RateRow>& rows, const std::string& title) {
  SvgPlot plot(title, "bits per pixel", "PSNR, dB");
  for (const RateRow& row : rows) {
    std::vector<PlotPoint> points;
    for (const RatePoint& point : row.points) {
      points.push_back({point.bits_per_pixel, point.psnr});
    }
    plot.add_line(row.coder, points);
  }
  return plot.finish();
}

}  // namespace tessera::bench
