// Chooses the number of --rdo by a few parts of a picture, and optimises all of them.
#include "bc/bc1_rate_codec.h"

#include <algorithm>
#include <vector>

#include "base/rate_rows.h"
#include "bc/bc1_rows_codec.h"
#include "bc/optimise_rate.h"

namespace tessera {
namespace {

constexpr size_t kMostSampledParts = 8;
// With the highest number a block whose repeat saves all its bits loses 18 levels of 255 in each
// channel at most. Photographs need 80 for half of their bytes.
constexpr RateSearch kRates = {.lowest = 0.125F, .highest = 256, .steps = 7, .almost_none = 0.01F};
// Blocks as they were encoded repeat each other by chance, at any byte, which zstd finds and the
// estimate does not: as measured with photographs, 4 % of their size.
constexpr float kRepeatedByChance = 0.96F;

// The parts of a picture whose blocks are optimised together.
struct PartsTogether {
  struct Part {
    uint32_t slice;
    uint32_t first;
    uint32_t end;
  };

  explicit PartsTogether(const ImageInfo& info)
      : rows(info),
        together(rows_optimised_together(divide_round_up(info.width, bc1::kBlockSide))),
        per_slice(static_cast<size_t>(divide_round_up(rows.per_slice, together))),
        slices(info.slices()) {}

  size_t count() const { return per_slice * slices; }
  Part at(size_t i) const {
    const auto first = static_cast<uint32_t>(i % per_slice) * together;
    return {static_cast<uint32_t>(i / per_slice), first,
            std::min(first + together, rows.per_slice)};
  }

  Bc1BlockRows rows;
  uint32_t together;
  size_t per_slice;
  size_t slices;
};

}  // namespace

Result<ChosenRate> choose_bc1_rate(const ImageView& largest, const bc1::Settings& settings,
                                   Backend& backend, const RunControl& control) {
  const PartsTogether parts(largest.info);
  const auto count = std::min<size_t>(parts.count(), kMostSampledParts);
  const auto sampled = [&](size_t sample) {
    return parts.at((2 * sample + 1) * parts.count() / (2 * count));
  };
  std::vector<std::vector<uint8_t>> encoded(count);
  const auto encode_range = [&](size_t begin, size_t end) -> Status {
    for (size_t i = begin; i < end; ++i) {
      const PartsTogether::Part part = sampled(i);
      encoded[i].resize((part.end - part.first) * parts.rows.row_bytes);
      bc1::encode_rows(largest, part.slice, part.first, part.end, settings, encoded[i]);
    }
    return {};
  };
  TESSERA_RETURN_IF_ERROR(
      backend.run({count, 1}, encode_range, {{}, control.cancelled, control.limits}));
  const auto bits = [&](size_t sample, float lambda) -> Result<double> {
    const PartsTogether::Part part = sampled(sample);
    std::vector<uint8_t> blocks = encoded[sample];
    return bc1::optimise_rate(largest, part.slice, part.first, part.end, settings, lambda, blocks);
  };
  RateSearch search = kRates;
  search.size = settings.rate.size * kRepeatedByChance;
  return tessera::choose_rate(search, count, bits, backend, control);
}

Status optimise_bc1_blocks(const ImageView& image, const bc1::Settings& settings, float lambda,
                           Backend& backend, const RunControl& control, std::span<uint8_t> blocks) {
  const PartsTogether parts(image.info);
  const Bc1BlockRows& rows = parts.rows;
  const auto optimise_range = [&](size_t begin, size_t end) -> Status {
    for (size_t i = begin; i < end; ++i) {
      const PartsTogether::Part part = parts.at(i);
      const size_t offset = (size_t{part.slice} * rows.per_slice + part.first) * rows.row_bytes;
      bc1::optimise_rate(image, part.slice, part.first, part.end, settings, lambda,
                         blocks.subspan(offset, (part.end - part.first) * rows.row_bytes));
    }
    return {};
  };
  return backend.run({parts.count(), 1}, optimise_range, control);
}

}  // namespace tessera
