// One picture as one encoder made it, for the page of `tessera report`.
#pragma once

#include <optional>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "client.h"
#include "report_settings.h"
#include "shown_pixels.h"

namespace tessera::cli {

struct ReportEntry {
  std::vector<uint8_t> file;
  Metrics metrics = {};
  Extent block;
  double mpixels_per_second = 0;
  Picture decoded;
  std::optional<double> angle = {};  // of normals, degrees: the mean
  // What the result is to be like: the original, or, where it was changed before, this; and of
  // that, these channels.
  Picture reference = Picture(nullptr);
  std::string swizzle = "rgba";
};

// With our own encoder. Results that are not of the picture's size are refused: a page shows both
// beside each other.
Result<ReportEntry> encode_for_report(const Image& image, const PictureSetting& setting,
                                      const Context& context, const Control& control);

// A part of an image as a PNG file in base64.
Result<std::string> png_text(const Image& image, const Window& window,
                             const std::string& swizzle = "rgba");

// As the page has it; `image` is the original.
Result<Json> entry_json(const Image& image, const ReportEntry& entry, const Window& window);

}  // namespace tessera::cli
