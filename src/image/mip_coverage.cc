// Finds the factor of alpha that keeps what shows.
#include "image/mip_coverage.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "image/sample.h"

namespace tessera {
namespace {

// Calls `function` with the alpha of every texel.
template <typename Sample, typename View, typename Function>
void for_each_alpha(const View& image, const Function& function) {
  const ImageInfo& info = image.info;
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      auto* alpha = image.template row<typename Sample::Storage>(y, slice) + (info.channels - 1);
      for (uint32_t x = 0; x < info.width; ++x, alpha += info.channels) {
        function(*alpha);
      }
    }
  }
}

// What alphas are to be multiplied with, so that the part `covered` of them comes to show. Nothing
// where there is no such number. Changes the order of `alphas`.
std::optional<double> alpha_factor(std::vector<float>& alphas, double threshold, double covered) {
  const auto wanted =
      static_cast<size_t>(std::floor(covered * static_cast<double>(alphas.size()) + 0.5));
  if (wanted == 0) {
    return std::nullopt;
  }
  // The least alpha that is to show: the one of the rank `wanted` from above.
  const auto least = alphas.begin() + static_cast<ptrdiff_t>(wanted - 1);
  std::nth_element(alphas.begin(), least, alphas.end(), std::greater<>());
  if (!(*least > 0.0F)) {
    return std::nullopt;
  }
  // It comes to lie above the threshold, where compression does not hide it again, but the next
  // one, which is not to show, below.
  constexpr float kClearance = 0.9F;
  float next = 0.0F;
  for (const float alpha : alphas) {
    next = alpha < *least ? std::max(next, alpha) : next;
  }
  const float border = std::max((*least + next) / 2, *least * kClearance);
  return threshold / static_cast<double>(border);
}

}  // namespace

double covered_part(const ImageView& image, double threshold) {
  uint64_t covered = 0;
  with_sample_type(image.info.sample, [&](auto sample) {
    using Sample = decltype(sample);
    for_each_alpha<Sample>(image, [&](const auto& alpha) {
      covered += Sample::to_double(alpha) >= threshold ? 1 : 0;
    });
  });
  return static_cast<double>(covered) / static_cast<double>(image.info.pixel_count());
}

void keep_coverage(Image& image, double threshold, double covered) {
  with_sample_type(image.info().sample, [&](auto sample) {
    using Sample = decltype(sample);
    std::vector<float> alphas;
    alphas.reserve(static_cast<size_t>(image.info().pixel_count()));
    for_each_alpha<Sample>(image.view(),
                           [&](const auto& alpha) { alphas.push_back(Sample::to_float(alpha)); });
    const auto factor = alpha_factor(alphas, threshold, covered);
    if (!factor) {
      return;
    }
    for_each_alpha<Sample>(image.mutable_view(), [&](auto& alpha) {
      // An integer just below the threshold would be one that does not show.
      const double value = std::min(Sample::to_double(alpha) * *factor, 1.0);
      alpha = Sample::from_double(value);
      if constexpr (Sample::kIsInteger) {
        alpha = static_cast<typename Sample::Storage>(
            value >= threshold && Sample::to_double(alpha) < threshold ? alpha + 1 : alpha);
      }
    });
  });
}

}  // namespace tessera
