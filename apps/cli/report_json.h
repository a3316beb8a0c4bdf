// Results as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "containers/texture.h"
#include "image/metrics.h"

namespace tessera::cli {

using Json = nlohmann::ordered_json;

// Adds psnr_rgb, psnr_rgba, ssim and the others to `object`. Identical images have a PSNR of
// kInfinitePsnr.
void add_metrics(Json& object, const Metrics& metrics);

Json texture_json(const TextureInfo& info, size_t level_count);

// To standard output; bytes of file names that are not UTF-8 are replaced.
void print_json(const Json& value);

}  // namespace tessera::cli
