#include "report_json.h"

#include <cstdio>

namespace tessera::cli {

void add_metrics(Json& object, const Metrics& metrics) {
  object["psnr_rgb"] = metrics.psnr_rgb;
  object["psnr_rgba"] = metrics.psnr_rgba;
  object["psnr_alpha_weighted"] = metrics.psnr_alpha_weighted;
  object["ssim"] = metrics.ssim;
  object["max_error"] = metrics.max_error;
  object["worst_block"] = {{"x", metrics.worst_block.x},
                           {"y", metrics.worst_block.y},
                           {"slice", metrics.worst_block.slice},
                           {"psnr_rgb", metrics.worst_block.psnr_rgb}};
}

Json texture_json(const TextureInfo& info, size_t level_count) {
  return {{"format", texture_format_name(info.format)},
          {"block", block_size_name(info.block)},
          {"srgb", info.srgb},
          {"hdr", info.hdr},
          {"width", info.width},
          {"height", info.height},
          {"depth", info.depth},
          {"layers", info.layers},
          {"levels", level_count}};
}

void print_json(const Json& value) {
  std::puts(value.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

}  // namespace tessera::cli
