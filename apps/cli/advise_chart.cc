// Draws PSNR over bits per pixel.
#include "advise_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace tessera::cli {
namespace {

// Pixels.
constexpr double kWidth = 720, kHeight = 440;
constexpr double kLeft = 64, kRight = 24, kTop = 48, kBottom = 56;
constexpr double kMostPsnr = 70;  // dB: more is as good as exact, and would flatten the rest

// As printf does it. Not a template: so the compiler checks the values.
__attribute__((format(printf, 2, 3))) void append(std::string& text, const char* format, ...) {
  std::array<char, 400> line;
  va_list values;
  va_start(values, format);
  std::vsnprintf(line.data(), line.size(), format, values);
  va_end(values);
  text += line.data();
}

// Bytes of file names that are not UTF-8 are replaced.
std::string escaped(const std::string& text) {
  std::string safe;
  const std::string quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  for (const char c : Json::parse(quoted).get<std::string>()) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return safe;
}

// Where values lie on the chart. Block sizes are apart by factors, so the axis is logarithmic.
class Scale {
 public:
  Scale(const Json& sizes, const std::string& measure) {
    for (const Json& size : sizes) {
      const double psnr = std::min(size[measure].get<double>(), kMostPsnr);
      low_ = std::min(low_, std::floor(psnr / 5) * 5);
      high_ = std::max(high_, std::ceil(psnr / 5) * 5);
      least_ = std::min(least_, size["bpp"].get<double>());
      most_ = std::max(most_, size["bpp"].get<double>());
    }
    high_ = std::max(high_, low_ + 5);
  }
  double x(double bpp) const {
    const double share = std::log(bpp / least_) / std::max(std::log(most_ / least_), 1e-9);
    return kLeft + 16 + share * (kWidth - kLeft - kRight - 40);
  }
  double y(double psnr) const {
    const double share = (std::min(psnr, kMostPsnr) - low_) / (high_ - low_);
    return kHeight - kBottom - share * (kHeight - kTop - kBottom);
  }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_ = 1e9, high_ = -1e9, least_ = 1e9, most_ = 0;
};

void draw_axes(const Scale& scale, const Json& sizes, bool is_light, std::string& svg) {
  for (double psnr = scale.low(); psnr <= scale.high(); psnr += 5) {
    append(svg, "<line x1=\"%.0f\" y1=\"%.1f\" x2=\"%.0f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", kLeft,
           scale.y(psnr), kWidth - kRight, scale.y(psnr));
    append(svg, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n", kLeft - 8,
           scale.y(psnr) + 4, psnr);
  }
  double last = kWidth;
  for (const Json& size : sizes) {  // from right to left
    const double x = scale.x(size["bpp"].get<double>());
    if (last - x >= 34) {
      append(svg, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%.2f</text>\n", x,
             kHeight - kBottom + 20, size["bpp"].get<double>());
      last = x;
    }
  }
  append(svg, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">bits per pixel</text>\n",
         (kLeft + kWidth - kRight) / 2, kHeight - 14);
  append(svg,
         "<text x=\"18\" y=\"%.0f\" text-anchor=\"middle\" transform=\"rotate(-90 18 %.0f)\">"
         "%s, dB</text>\n",
         kHeight / 2, kHeight / 2, is_light ? "mPSNR" : "PSNR");
}

}  // namespace

std::string advice_chart(const Json& advice, const std::string& title) {
  const Json& sizes = advice["sizes"];
  const std::string measure = advice["measure"].get<std::string>();
  const Scale scale(sizes, measure);
  std::string svg;
  append(svg,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
         "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
         "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
         kWidth, kHeight, kWidth, kHeight);
  svg += "<text x=\"" + std::to_string(static_cast<int>(kLeft)) + "\" y=\"26\" font-size=\"15\">" +
         escaped(title) + ": " + escaped(advice["format"].get<std::string>()) + ", " +
         escaped(advice["preset"].get<std::string>()) + "</text>\n";
  draw_axes(scale, sizes, measure == "mpsnr", svg);
  svg += "<polyline fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"1.5\" points=\"";
  for (const Json& size : sizes) {
    append(svg, "%.1f,%.1f ", scale.x(size["bpp"].get<double>()),
           scale.y(size[measure].get<double>()));
  }
  svg += "\"/>\n";
  bool is_above = true;
  for (const Json& size : sizes) {
    const bool is_chosen = size["block"] == advice["recommended"];
    const double x = scale.x(size["bpp"].get<double>()), y = scale.y(size[measure].get<double>());
    append(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"/>\n", x, y, is_chosen ? 6 : 3,
           is_chosen ? "#d62728" : "#1f77b4");
    append(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\"%s>%s</text>\n", x,
           is_above ? y - 10 : y + 20, is_chosen ? " font-weight=\"bold\"" : "",
           size["block"].get<std::string>().c_str());
    is_above = !is_above;  // neighbours do not cover each other
  }
  return svg + "</svg>\n";
}

}  // namespace tessera::cli
