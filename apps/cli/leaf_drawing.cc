// Writes leaves and arrows as SVG.
#include "leaf_drawing.h"

#include <algorithm>
#include <vector>

namespace tessera::cli {
namespace {

struct Square {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t side = 0;

  double middle_x() const { return x + side / 2.0; }
  double middle_y() const { return y + side / 2.0; }
};

Square square_of(const Json& leaf, const char* x, const char* y, const char* side) {
  return {leaf[x].get<uint32_t>(), leaf[y].get<uint32_t>(), leaf[side].get<uint32_t>()};
}

const char* kind_color(const std::string& kind) {
  return kind == "fractal" ? "#d1495b" : kind == "dct" ? "#1b6ac9" : "#c9ced4";
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

// A path of all squares of a kind: one element, however many there are.
std::string squares_path(const Json& leaves, const std::string& kind) {
  std::string path;
  for (const Json& leaf : leaves) {
    if (leaf["plane"].get<int>() == 0 && leaf["kind"].get<std::string>() == kind) {
      const Square square = square_of(leaf, "x", "y", "side");
      const std::string side = std::to_string(square.side);
      for (const std::string& piece :
           {"M" + std::to_string(square.x), " " + std::to_string(square.y), "h" + side, "v" + side,
            "h-" + side + "z"}) {
        path += piece;
      }
    }
  }
  return "<path class=\"" + kind + "\" fill=\"" + kind_color(kind) +
         "\" fill-opacity=\"0.35\" stroke=\"" + kind_color(kind) + "\" stroke-width=\"0.5\" d=\"" +
         path + "\"/>\n";
}

std::string arrows_path(const Json& leaves, size_t arrows) {
  std::vector<std::pair<Square, Square>> ways;  // from a leaf to its domain
  for (const Json& leaf : leaves) {
    if (leaf["plane"].get<int>() == 0 && leaf.contains("domain_x")) {
      ways.emplace_back(square_of(leaf, "x", "y", "side"),
                        square_of(leaf, "domain_x", "domain_y", "domain_side"));
    }
  }
  std::stable_sort(ways.begin(), ways.end(),
                   [](const auto& a, const auto& b) { return a.first.side > b.first.side; });
  ways.resize(std::min(ways.size(), arrows));
  std::string text;
  for (const auto& [leaf, domain] : ways) {
    text += "<path class=\"arrow\" d=\"M" + number_text(leaf.middle_x()) + " " +
            number_text(leaf.middle_y()) + "L" + number_text(domain.middle_x()) + " " +
            number_text(domain.middle_y()) + "\" marker-end=\"url(#head)\"/>\n";
  }
  return text;
}

}  // namespace

std::string draw_leaves(const Json& leaves, uint32_t width, uint32_t height, size_t arrows) {
  const std::string extent = std::to_string(width) + " " + std::to_string(height);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + extent +
                     "\" width=\"" + std::to_string(width) + "\" height=\"" +
                     std::to_string(height) + "\">\n";
  text += "<title>Leaves: grey flat, red fractal, blue DCT; arrows lead to domains</title>\n";
  text +=
      "<defs><marker id=\"head\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"5\" "
      "markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\"/></marker></defs>\n";
  text += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  for (const char* kind : {"flat", "dct", "fractal"}) {
    text += squares_path(leaves, kind);
  }
  text += "<g fill=\"none\" stroke=\"#222\" stroke-width=\"0.8\">\n" + arrows_path(leaves, arrows);
  return text + "</g>\n</svg>\n";
}

}  // namespace tessera::cli
