// One picture as one encoder made it, for the page of `tessera report`.
#pragma once

#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "client.h"
#include "shown_pixels.h"

namespace tessera::cli {

struct ReportEntry {
  std::vector<uint8_t> file;
  Metrics metrics = {};
  Extent block;
  double mpixels_per_second = 0;
  Picture decoded;
};

// A part of an image as a PNG file in base64.
Result<std::string> png_text(const Image& image, const Window& window);

// As the page has it; `image` is the original.
Result<Json> entry_json(const Image& image, const ReportEntry& entry, const Window& window);

}  // namespace tessera::cli
