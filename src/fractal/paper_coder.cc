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
    const uint8_t* row = image.row(at.y + y) + at.x;
    uint32_t line = 0;  // 32 bits hold a row of 16384 samples, and are quicker
    for (uint32_t x = 0; x < side; ++x) {
      line += row[x];
    }
    sum += line;
  }
  const uint64_t count = uint64_t{side} * side;
  return static_cast<uint32_t>((sum + count / 2) / count);
}

// One level of the quadtree after the other is searched, on the device if there is one, else on the
// CPU. What the CPU alone needs is made when it is first needed.
class LevelSearch {
 public:
  LevelSearch(const Plane<uint8_t>& image, const PaperSettings& settings,
              const ParallelFor& parallel, SharedLoop* shared, OptionalDevice* device)
      : image_(image), settings_(settings), parallel_(parallel), shared_(shared), device_(device) {}

  // Once, before all levels.
  Status start() {
    return device_ == nullptr
               ? Status()
               : on_device([&](DeviceSearch& search) { return search.take_image(image_); });
  }

  Status run(uint32_t side, std::span<const BlockPosition> ranges,
             std::span<const BlockPosition> domains, std::vector<BlockMatch>& matches) {
    matches.resize(ranges.size());
    task_ = {&image_, &half_, side, ranges, domains, settings_.rotations};
    is_prepared_ = false;
    SharedWork work =
        shared_values(std::span(matches), 1, [count = domains.size()](const BlockMatch& match) {
          return match.domain < count && match.rotation < 4;
        });
    work.count = ranges.size();
    // Enough ranges a part to share the cost of bringing the domains near.
    work.grain = settings_.kernel == SearchKernel::kSimd ? 384 : 8;
    return run_shared(
        shared_, work, parallel_, 0.0,
        [&](size_t begin, size_t end) {
          search_on_cpu(begin, end, std::span(matches).subspan(begin, end - begin));
        },
        [&](size_t begin, size_t end) {
          return search_on_device(begin, end, std::span(matches).subspan(begin, end - begin));
        });
  }

 private:
  template <class Call>
  Status on_device(const Call& call) {
    TESSERA_ASSIGN_OR_RETURN(is_on_device_, device_->run(call));
    return {};
  }

  // Piece by piece, so that it can be stopped. False where the CPU has to do it.
  Result<bool> search_on_device(size_t begin, size_t end, std::span<BlockMatch> out) {
    constexpr uint64_t kProducts = uint64_t{1} << 40;  // some milliseconds of a device
    const uint64_t per_range = uint64_t{task_.side} * task_.side * task_.domains.size();
    const auto piece = static_cast<size_t>(std::max<uint64_t>(kProducts / per_range, 32));
    for (size_t first = begin; is_on_device_ && first < end; first += piece) {
      const size_t count = std::min(piece, end - first);
      TESSERA_RETURN_IF_ERROR(on_device([&](DeviceSearch& search) {
        return search.match_blocks(
            {task_.side, settings_.rotations, task_.ranges.subspan(first, count), task_.domains},
            out.subspan(first - begin, count));
      }));
      TESSERA_RETURN_IF_ERROR(parallel_(1, 1, 0.0, [](size_t, size_t) {}));
    }
    if (!is_on_device_) {
      prepare_cpu();
    }
    return is_on_device_;
  }

  void prepare_cpu() {
    if (is_prepared_) {
      return;
    }
    if (half_.samples.empty()) {
      half_ = sums_of_four(image_);
    }
    if (settings_.kernel == SearchKernel::kSimd) {
      packed_ = pack_domains(task_);
    }
    is_prepared_ = true;
  }

  void search_on_cpu(size_t begin, size_t end, std::span<BlockMatch> out) const {
    SearchTask part = task_;
    part.ranges = task_.ranges.subspan(begin, end - begin);
    switch (settings_.kernel) {
      case SearchKernel::kBaseline:
        return search_baseline(part, out);
      case SearchKernel::kScalar:
        return search_scalar(part, out);
      case SearchKernel::kSimd:
        return search_simd(part, packed_, part.ranges, out);
    }
  }

  const Plane<uint8_t>& image_;
  const PaperSettings& settings_;
  const ParallelFor& parallel_;
  SharedLoop* shared_;
  OptionalDevice* device_;
  bool is_on_device_ = false;
  bool is_prepared_ = false;
  Plane<uint16_t> half_;
  PackedDomains packed_;
  SearchTask task_;
};

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
                                   const ParallelFor& parallel, SharedLoop* shared,
                                   OptionalDevice* device) {
  TESSERA_RETURN_IF_ERROR(check_paper_settings(image.width, image.height, settings));
  LevelSearch search(image, settings, parallel, shared, device);
  TESSERA_RETURN_IF_ERROR(search.start());
  PaperEncoding encoding;
  uint32_t side = image.width / 2;
  std::vector<BlockPosition> ranges = grid(image.width, side);
  std::vector<BlockMatch> matches;
  for (uint32_t depth = 1; depth <= settings.depth && !ranges.empty(); ++depth, side /= 2) {
    const std::vector<BlockPosition> domains = grid(image.width / 2, side);
    TESSERA_RETURN_IF_ERROR(search.run(side, ranges, domains, matches));
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
