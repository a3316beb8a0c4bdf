// Draws axes, ticks and lines of a plot as SVG.
#include "svg_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tessera::bench {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 420;
constexpr double kLeft = 70;
constexpr double kRight = 20;
constexpr double kTop = 40;
constexpr double kBottom = 55;
constexpr const char* kColors[] = {"#1b6ca8", "#c0392b", "#27864b",
                                   "#8e44ad", "#b7791f", "#555555"};

// One axis: values to positions, and where its marks are.
struct Axis {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  double from = 0;  // position of low
  double to = 1;

  double place(double value) const {
    const double a = logarithmic ? std::log10(low) : low;
    const double b = logarithmic ? std::log10(high) : high;
    const double v = logarithmic ? std::log10(value) : value;
    return from + (v - a) / (b - a) * (to - from);
  }

  std::vector<double> marks() const {
    std::vector<double> values;
    if (logarithmic) {
      for (double mark = std::pow(10, std::ceil(std::log10(low) - 1e-9)); mark <= high * 1.0001;
           mark *= 10) {
        values.push_back(mark);
      }
      return values;
    }
    const double rough = (high - low) / 6;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double ratio = rough / power;
    const double step = (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10) * power;
    for (double mark = std::ceil(low / step) * step; mark <= high + step * 1e-6; mark += step) {
      values.push_back(mark);
    }
    return values;
  }
};

std::string number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", std::abs(value) < 1e-12 ? 0.0 : value);
  return buffer;
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text,
                    const std::string& more = "") {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\"" +
         more + ">" + text + "</text>\n";
}

std::string grid_line(double x1, double y1, double x2, double y2) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\" stroke=\"#ddd\"/>\n";
}

}  // namespace

void SvgPlot::add_line(const std::string& name, const std::vector<PlotPoint>& points) {
  series_.push_back({name, points, true});
}

void SvgPlot::add_limit(const std::string& name, const std::vector<PlotPoint>& points) {
  series_.push_back({name, points, false});
}

std::string SvgPlot::finish() const {
  Axis x = {HUGE_VAL, -HUGE_VAL, log_x_, kLeft, kWidth - kRight};
  Axis y = {HUGE_VAL, -HUGE_VAL, log_y_, kHeight - kBottom, kTop};
  for (const Series& series : series_) {
    for (const PlotPoint& point : series.points) {
      x.low = std::min(x.low, point.x);
      x.high = std::max(x.high, point.x);
      y.low = std::min(y.low, point.y);
      y.high = std::max(y.high, point.y);
    }
  }
  for (Axis* axis : {&x, &y}) {
    if (axis->logarithmic) {
      axis->low = std::pow(10, std::floor(std::log10(axis->low)));
      axis->high = std::pow(10, std::ceil(std::log10(axis->high)));
    }
    if (!(axis->high > axis->low)) {
      axis->high = axis->low + 1;
    }
  }
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 420\" "
      "font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"640\" height=\"420\" fill=\"white\"/>\n";
  svg += text_at(kWidth / 2, 22, "middle", title_, " font-size=\"15\"");
  svg += text_at((kLeft + kWidth - kRight) / 2, kHeight - 12, "middle", x_name_);
  svg += text_at(18, (kTop + kHeight - kBottom) / 2, "middle", y_name_,
                 " transform=\"rotate(-90 18 " + number((kTop + kHeight - kBottom) / 2) + ")\"");
  for (const double mark : x.marks()) {
    svg += grid_line(x.place(mark), kTop, x.place(mark), kHeight - kBottom);
    svg += text_at(x.place(mark), kHeight - kBottom + 16, "middle", number(mark));
  }
  for (const double mark : y.marks()) {
    svg += grid_line(kLeft, y.place(mark), kWidth - kRight, y.place(mark));
    svg += text_at(kLeft - 6, y.place(mark) + 4, "end", number(mark));
  }
  for (size_t i = 0; i < series_.size(); ++i) {
    const Series& series = series_[i];
    const std::string color = kColors[i % std::size(kColors)];
    svg += "<polyline fill=\"none\" stroke=\"" + color + "\" stroke-width=\"2\"" +
           (series.dots ? "" : " stroke-dasharray=\"6 3\"") + " points=\"";
    for (const PlotPoint& point : series.points) {
      svg += number(x.place(point.x)) + "," + number(y.place(point.y)) + " ";
    }
    svg += "\"/>\n";
    for (const PlotPoint& point : series.points) {
      if (series.dots) {
        svg += "<circle r=\"3.5\" fill=\"" + color + "\" cx=\"" + number(x.place(point.x)) +
               "\" cy=\"" + number(y.place(point.y)) + "\"/>\n";
      }
    }
    const double legend = kTop + 16 + 17 * static_cast<double>(i);
    svg += text_at(kLeft + 12, legend, "start", series.name, " fill=\"" + color + "\"");
  }
  return svg + "</svg>\n";
}

}  // namespace tessera::bench
