// Splits, searches and writes blocks as the paper describes it.
#include "fractal/paper_coder.h"

#include <bit>

#include "containers/tsf_file.h"

namespace tessera::fractal {
namespace {

std::vector<BlockPosition> grid(uint32_t extent, uint32_t side) {
  std::vector<BlockPosition> blocks;
  for (uint32_t y = 0; y + side <= extent; y += side) {
    for (uint32_t x = 0; x + side <= extent; x += side) {
      blocks.push_back({x, y});
    }
  }
  return blocks;
}

uint32_t mean_of(const Plane<uint8_t>& image, const BlockPosition& at, uint32_t side) {
  uint64_t sum = 0;
  for (uint32_t y = 0; y < side; ++y) {
    for (uint32_t x = 0; x < side; ++x) {
      sum += image.at(at.x + x, at.y + y);
    }
  }
  const uint64_t count = uint64_t{side} * side;
  return static_cast<uint32_t>((sum + count / 2) / count);
}

Status search_level(const SearchTask& task, SearchKernel kernel, const ParallelFor& parallel,
                    SharedLoop* shared, std::vector<BlockMatch>& matches) {
  matches.resize(task.ranges.size());
  PackedDomains packed;
  if (kernel == SearchKernel::kSimd) {
    packed = pack_domains(task);
  }
  // Enough ranges a part to share the cost of bringing the domains near.
  const size_t grain = kernel == SearchKernel::kSimd ? 384 : 8;
  SharedWork work = shared_values(std::span(matches), 1,
                                  [domains = task.domains.size()](const BlockMatch& match) {
                                    return match.domain < domains && match.rotation < 4;
                                  });
  work.count = task.ranges.size();
  work.grain = grain;
  return run_shared(shared, work, parallel, 0.0, [&](size_t begin, size_t end) {
    SearchTask part = task;
    part.ranges = task.ranges.subspan(begin, end - begin);
    const std::span<BlockMatch> out(matches.data() + begin, end - begin);
    switch (kernel) {
      case SearchKernel::kBaseline:
        return search_baseline(part, out);
      case SearchKernel::kScalar:
        return search_scalar(part, out);
      case SearchKernel::kSimd:
        return search_simd(part, packed, part.ranges, out);
    }
  });
}

}  // namespace

Status check_paper_settings(uint32_t width, uint32_t height, const PaperSettings& settings) {
  if (width != height || !std::has_single_bit(width) || width < 8 || width > kMaxPaperSide) {
    return unsupported_error(
        "the paper's coder takes squares with a power of two as side, 8 to 16384 pixels, not " +
        std::to_string(width) + "x" + std::to_string(height) +
        " (without --search any size can be encoded)");
  }
  if (settings.depth < 1 || settings.depth > 14 || (width >> settings.depth) < 4) {
    return usage_error("a quadtree of depth " + std::to_string(settings.depth) +
                       " makes blocks of less than 4x4 pixels in an image of " +
                       std::to_string(width) + "x" + std::to_string(height));
  }
  if (!(settings.epsilon >= 0)) {
    return usage_error("the threshold epsilon must not be negative");
  }
  return {};
}

Result<PaperEncoding> encode_paper(const Plane<uint8_t>& image, const PaperSettings& settings,
                                   const ParallelFor& parallel, SharedLoop* shared) {
  TESSERA_RETURN_IF_ERROR(check_paper_settings(image.width, image.height, settings));
  const Plane<uint16_t> half = sums_of_four(image);
  PaperEncoding encoding;
  uint32_t side = image.width / 2;
  std::vector<BlockPosition> ranges = grid(image.width, side);
  std::vector<BlockMatch> matches;
  for (uint32_t depth = 1; depth <= settings.depth && !ranges.empty(); ++depth, side /= 2) {
    const std::vector<BlockPosition> domains = grid(half.width, side);
    const SearchTask task = {&image, &half, side, ranges, domains, settings.rotations};
    TESSERA_RETURN_IF_ERROR(search_level(task, settings.kernel, parallel, shared, matches));
    encoding.levels.push_back({side, ranges.size(), domains.size()});
    std::vector<BlockPosition> children;
    for (size_t i = 0; i < ranges.size(); ++i) {
      const BlockPosition& at = ranges[i];
      if (matches[i].error > settings.epsilon && depth < settings.depth) {
        const uint32_t h = side / 2;
        children.insert(children.end(),
                        {at, {at.x + h, at.y}, {at.x, at.y + h}, {at.x + h, at.y + h}});
      } else {
        encoding.transforms.push_back(
            {at, side, mean_of(image, at, side), domains[matches[i].domain], matches[i]});
      }
    }
    ranges = std::move(children);
  }
  return encoding;
}

}  // namespace tessera::fractal
