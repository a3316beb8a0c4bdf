// Pictures: how far two are apart, and samples made by code.
#include <algorithm>
#include <cstring>

#include "image/metrics.h"
#include "image/synthetic.h"
#include "pixels.h"
#include "reply.h"

namespace tessera::web {
namespace {

// Of each block: the sum of squared differences of red, green and blue.
std::vector<float> block_errors(const ImageView& reference, const ImageView& test,
                                const MetricsOptions& options) {
  const uint32_t width = reference.info.width;
  const size_t across = (size_t{width} - 1) / options.block_width + 1;
  const size_t down = (size_t{reference.info.height} - 1) / options.block_height + 1;
  std::vector<float> errors(across * down);
  std::vector<uint32_t> sums(across);  // a block has 144 texels of 3 squares below 2^16 at most
  for (uint32_t y = 0; y < reference.info.height; ++y) {
    const uint8_t* const a = reference.row<uint8_t>(y);
    const uint8_t* const b = test.row<uint8_t>(y);
    for (uint32_t x = 0; x < width; ++x) {
      uint32_t sum = 0;
      for (uint32_t channel = 0; channel < 3; ++channel) {
        const int32_t difference = int32_t{a[4 * x + channel]} - b[4 * x + channel];
        sum += static_cast<uint32_t>(difference * difference);
      }
      sums[x / options.block_width] += sum;
    }
    if ((y + 1) % options.block_height == 0 || y + 1 == reference.info.height) {
      std::transform(sums.begin(), sums.end(), errors.data() + y / options.block_height * across,
                     [](uint32_t sum) { return static_cast<float>(sum); });
      std::fill(sums.begin(), sums.end(), 0);
    }
  }
  return errors;
}

Status compare(const ImageView& reference, const ImageView& test, const MetricsOptions& options) {
  constexpr uint32_t kMostSide = 64;  // of a block: sums stay within 32 bits
  TESSERA_RETURN_IF_ERROR(layout_of(reference.info, PTRDIFF_MAX));
  if (options.block_width < 1 || options.block_width > kMostSide || options.block_height < 1 ||
      options.block_height > kMostSide) {
    return usage_error("blocks of a comparison have sides of 1 to 64 pixels");
  }
  TESSERA_ASSIGN_OR_RETURN(const Metrics metrics, compute_metrics(reference, test, options));
  reply_with(Json::object({{"psnrRgb", metrics.psnr_rgb},
                           {"psnrRgba", metrics.psnr_rgba},
                           {"psnrAlphaWeighted", metrics.psnr_alpha_weighted},
                           {"ssim", metrics.ssim},
                           {"maxError", metrics.max_error},
                           {"worstX", metrics.worst_block.x},
                           {"worstY", metrics.worst_block.y},
                           {"worstPsnrRgb", metrics.worst_block.psnr_rgb}}));
  const std::vector<float> errors = block_errors(reference, test, options);
  reply().bytes.resize(errors.size() * sizeof(float));
  std::memcpy(reply().bytes.data(), errors.data(), reply().bytes.size());
  return {};
}

}  // namespace
}  // namespace tessera::web

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::web;  // NOLINT(google-build-using-namespace)

TESSERA_EXPORT(tessera_web_compare)
int32_t tessera_web_compare(const uint8_t* reference, const uint8_t* test, uint32_t width,
                            uint32_t height, uint32_t block_width, uint32_t block_height) {
  return serve([&]() -> Status {
    return compare(view_of(reference, width, height), view_of(test, width, height),
                   {block_width, block_height});
  });
}

TESSERA_EXPORT(tessera_web_sample)
int32_t tessera_web_sample(const char* kind_name, uint32_t width, uint32_t height, uint32_t seed) {
  return serve([&]() -> Status {
    const auto kind = parse_synthetic_kind(kind_name);
    if (!kind) {
      return usage_error("'" + std::string(kind_name) +
                         "' is not a sample (photo, interface, sprite, normal-map, noise, "
                         "constant)");
    }
    TESSERA_ASSIGN_OR_RETURN(Image image, make_synthetic_image(*kind, width, height, seed));
    return reply_with_pixels(std::move(image));
  });
}
