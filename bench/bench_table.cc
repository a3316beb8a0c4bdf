// Prints the rows of a benchmark as CSV and as a table of means.
#include "bench_table.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace tessera::bench {
namespace {

double megapixels(const BenchRow& row) {
  return 1e-6 * row.width * row.height;
}

// Commas and quotes in file names are quoted as CSV does.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  }
  return quoted + "\"";
}

// As printf does it. Not a template: so the compiler checks the values.
__attribute__((format(printf, 1, 2))) std::string format(const char* pattern, ...) {
  va_list values;
  va_start(values, pattern);
  va_list again;
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, pattern, values);
  va_end(values);
  std::string text(static_cast<size_t>(std::max(length, 0)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

BenchMean mean_of(const BenchRow* first, size_t count) {
  BenchMean mean;
  mean.codec = first->codec;
  mean.setting = first->setting;
  double pixels = 0;
  double seconds = 0;
  for (const BenchRow* row = first; row != first + count; ++row) {
    mean.psnr_rgb += row->psnr_rgb / static_cast<double>(count);
    mean.ssim += row->ssim / static_cast<double>(count);
    mean.bits_per_pixel += 8e-6 * static_cast<double>(row->bytes);
    pixels += megapixels(*row);
    seconds += row->seconds;
  }
  mean.bits_per_pixel /= pixels;
  mean.mpixels_per_second = pixels / std::max(seconds, 1e-12);
  return mean;
}

}  // namespace

std::string to_csv(const std::vector<BenchRow>& rows, const Subject& subject) {
  std::string csv =
      "codec,format,block,preset,image,width,height,psnr_rgb,ssim,bytes,seconds,"
      "mpixels_per_second\n";
  for (const BenchRow& row : rows) {
    csv += row.codec + "," + subject.format + "," + block_size_name(subject.block) + "," +
           row.setting + "," + csv_field(row.image) + ",";
    csv += format("%u,%u,%.4f,%.6f,%zu,%.9f,%.4f\n", row.width, row.height, row.psnr_rgb, row.ssim,
                  row.bytes, row.seconds, megapixels(row) / std::max(row.seconds, 1e-12));
  }
  return csv;
}

std::vector<BenchMean> mean_rows(const std::vector<BenchRow>& rows) {
  std::vector<BenchMean> means;
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin;
    while (end < rows.size() && rows[end].codec == rows[begin].codec &&
           rows[end].setting == rows[begin].setting) {
      ++end;
    }
    means.push_back(mean_of(&rows[begin], end - begin));
    begin = end;
  }
  return means;
}

std::string to_text(const std::vector<BenchMean>& means) {
  const auto rival = std::find_if(means.begin(), means.end(),
                                  [](const BenchMean& mean) { return mean.codec != "tessera"; });
  std::string text =
      format("%-10s %-12s %9s %8s %7s %12s", "codec", "setting", "PSNR dB", "SSIM", "bpp", "MP/s");
  if (rival != means.end()) {
    text += "   x " + rival->codec + " " + rival->setting;
  }
  text += "\n";
  for (const BenchMean& mean : means) {
    text += format("%-10s %-12s %9.3f %8.5f %7.3f %12.2f", mean.codec.c_str(), mean.setting.c_str(),
                   mean.psnr_rgb, mean.ssim, mean.bits_per_pixel, mean.mpixels_per_second);
    if (rival != means.end()) {
      text += format("   %.2f", mean.mpixels_per_second / rival->mpixels_per_second);
    }
    text += "\n";
  }
  return text;
}

}  // namespace tessera::bench
