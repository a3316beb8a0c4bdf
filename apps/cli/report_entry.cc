// Turns results into the data of the page of `tessera report`.
#include "report_entry.h"

namespace tessera::cli {

Result<std::string> png_text(const Image& image, const Window& window) {
  const ShownPixels pixels = shown_pixels(image, window);
  const auto file = write_to_memory("png", pixels.image());
  if (!file) {
    return file.error();
  }
  return base64(file->span());
}

Result<Json> entry_json(const Image& image, const ReportEntry& entry, const Window& window) {
  const double pixels = static_cast<double>(image.width) * image.height;
  auto result = png_text(entry.decoded.image(), window);
  if (!result) {
    return result.error();
  }
  Json json;
  add_metrics(json, entry.metrics);
  json["worst_block"] = {{"left", entry.metrics.worst_block_x * entry.block.width},
                         {"top", entry.metrics.worst_block_y * entry.block.height},
                         {"width", entry.block.width},
                         {"height", entry.block.height},
                         {"psnr_rgb", entry.metrics.worst_block_psnr_rgb}};
  json["bytes"] = entry.file.size();
  json["bpp"] = 8.0 * static_cast<double>(entry.file.size()) / pixels;
  json["mpixels_per_second"] = entry.mpixels_per_second;
  json["result"] = std::move(*result);
  if (const auto map = map_blocks(entry.file)) {
    Json legend = Json::parse(map->legend.text());
    Json kinds = std::move(legend["kinds"]);
    legend["legend"] = std::move(kinds);
    legend["kinds"] = base64(map->kinds.span());
    json["map"] = std::move(legend);
  }
  return json;
}

}  // namespace tessera::cli
