// Plain line plots as SVG, for the documentation.
#pragma once

#include <string>
#include <vector>

namespace tessera::bench {

struct PlotPoint {
  double x = 0;
  double y = 0;
};

class SvgPlot {
 public:
  SvgPlot(std::string title, std::string x_name, std::string y_name)
      : title_(std::move(title)), x_name_(std::move(x_name)), y_name_(std::move(y_name)) {}

  void use_log_x() { log_x_ = true; }
  void use_log_y() { log_y_ = true; }
  // A line with a dot at every point; a single point is a dot.
  void add_line(const std::string& name, const std::vector<PlotPoint>& points);
  // A line without dots: roofs and limits.
  void add_limit(const std::string& name, const std::vector<PlotPoint>& points);
  std::string finish() const;

 private:
  struct Series {
    std::string name;
    std::vector<PlotPoint> points;
    bool dots = true;
  };
  std::string title_;
  std::string x_name_;
  std::string y_name_;
  bool log_x_ = false;
  bool log_y_ = false;
  std::vector<Series> series_;
};

}  // namespace tessera::bench
