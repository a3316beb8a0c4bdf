// Finds the best domains of every block.
#include "fractal/domain_search.h"

#include <cmath>

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "fractal/domain_search.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "fractal/domain_search-inl.h"

#ifndef TESSERA_FRACTAL_DOMAIN_SEARCH_ROW_
#define TESSERA_FRACTAL_DOMAIN_SEARCH_ROW_
namespace tessera::fractal {

// A row of ranges, packed; their number is a multiple of kSearchTile.
struct RangeRow {
  std::vector<int32_t> words;
  std::vector<RangeState> states;
};

}  // namespace tessera::fractal
#endif

TESSERA_TARGET_BEGIN();
namespace tessera::fractal::TESSERA_TARGET {

// All ranges of the row against one row of a pool, within `reach` samples of each range's home.
template <uint32_t kSide>
void match_pool_row(const DomainPool& pool, uint32_t row, int32_t reach, uint32_t min_ring,
                    uint32_t max_ring, RangeRow& ranges) {
  constexpr size_t kWords = DihedralLayout<kSide>::kRangeWords;
  for (size_t first = 0; first < ranges.states.size(); first += kSearchTile) {
    const int32_t* words[kSearchTile];
    RangeState* states[kSearchTile];
    for (size_t r = 0; r < kSearchTile; ++r) {
      words[r] = ranges.words.data() + (first + r) * kWords;
      states[r] = &ranges.states[first + r];
    }
    // Homes rise along the row.
    const int32_t low = std::max(states[0]->home.x - reach, 0) / pool.stride;
    const int32_t high = (states[kSearchTile - 1]->home.x + reach) / pool.stride;
    const GroupRow groups = {
        &pool,
        row,
        static_cast<uint32_t>(low) / static_cast<uint32_t>(kPoolGroup),
        std::min(static_cast<uint32_t>(high) / static_cast<uint32_t>(kPoolGroup) + 1,
                 pool.groups_across),
        min_ring,
        max_ring};
    match_group_row<kSide>(groups, words, states);
  }
}

template <uint32_t kSide>
void match_row(const SizeSearch& search, RangeRow& ranges) {
  constexpr int32_t kNearReach = (1 << (kFirstCoarseRing - 1)) - 1;
  constexpr int32_t kFarReach = (1 << (kRingCount - 1)) - 1;
  const int32_t home_y = ranges.states[0].home.y;
  for (uint32_t row = 0; row < search.near.rows; ++row) {
    if (std::abs(static_cast<int32_t>(row) - home_y) <= kNearReach) {
      match_pool_row<kSide>(search.near, row, kNearReach, 0, kFirstCoarseRing - 1, ranges);
    }
  }
  for (uint32_t row = 0; row < search.far.rows; ++row) {
    match_pool_row<kSide>(search.far, row, kFarReach, kFirstCoarseRing, kRingCount - 1, ranges);
  }
}

void match_row_on_target(const SizeSearch& search, RangeRow& ranges) {
  if (search.log2_side == 2) {
    match_row<4>(search, ranges);
  } else {
    match_row<8>(search, ranges);
  }
}

}  // namespace tessera::fractal::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::fractal {
namespace {

TESSERA_EXPORT(match_row_on_target);

template <typename T>
Plane<uint16_t> box_means(const Plane<T>& plane, uint32_t factor) {
  Plane<uint16_t> means(plane.width, plane.height);
  for (uint32_t y = 0; y + factor <= plane.height; ++y) {
    for (uint32_t x = 0; x + factor <= plane.width; ++x) {
      means.at(x, y) = static_cast<uint16_t>(box_mean(plane.view(), x, y, factor));
    }
  }
  return means;
}

// Sums of samples and squares of any rectangle in four look-ups.
class SummedArea {
 public:
  explicit SummedArea(const Plane<uint16_t>& plane)
      : stride_(size_t{plane.width} + 1), table_(stride_ * (plane.height + 1)) {
    for (uint32_t y = 0; y < plane.height; ++y) {
      BlockSums line;
      for (uint32_t x = 0; x < plane.width; ++x) {
        const int64_t value = plane.at(x, y);
        line.sum += value;
        line.squares += value * value;
        const BlockSums& above = table_[y * stride_ + x + 1];
        table_[(y + 1) * stride_ + x + 1] = {above.sum + line.sum, above.squares + line.squares};
      }
    }
  }
  BlockSums block(uint32_t x, uint32_t y, uint32_t side) const {
    const BlockSums& a = table_[y * stride_ + x];
    const BlockSums& b = table_[y * stride_ + x + side];
    const BlockSums& c = table_[(y + side) * stride_ + x];
    const BlockSums& d = table_[(y + side) * stride_ + x + side];
    return {d.sum - b.sum - c.sum + a.sum, d.squares - b.squares - c.squares + a.squares};
  }

 private:
  size_t stride_;
  std::vector<BlockSums> table_;
};

template <uint32_t kSide, typename Sample>
DihedralSplit<kSide> split_block(const Sample& sample) {
  int samples[kSide * kSide];
  int sum = 0;
  for (uint32_t i = 0; i < kSide * kSide; ++i) {
    samples[i] = sample(i % kSide, i / kSide);
    sum += samples[i];
  }
  const int mean = rounded_mean_of(sum, static_cast<int>(kSide * kSide));
  for (int& value : samples) {
    value -= mean;
  }
  return DihedralSplit<kSide>(samples);
}

template <uint32_t kSide>
DomainPool pack_pool(const Plane<uint16_t>& means, const SummedArea& sums, const DomainField& field,
                     uint32_t log2_side, int32_t stride) {
  constexpr size_t kWords = DihedralLayout<kSide>::kDomainWords;
  DomainPool pool;
  pool.stride = stride;
  pool.columns = static_cast<uint32_t>(field.max_x / stride + 1);
  pool.rows = static_cast<uint32_t>(field.max_y / stride + 1);
  pool.groups_across = static_cast<uint32_t>((pool.columns + kPoolGroup - 1) / kPoolGroup);
  const size_t padded = size_t{pool.rows} * pool.groups_across * kPoolGroup;
  pool.words.assign(padded * kWords * 2, 0);
  pool.inverse_root.assign(padded, 0.0f);
  const uint32_t factor = shrink_factor(log2_side);
  const uint32_t side = 1u << log2_side;
  const double count = double{1} * side * side;
  for (uint32_t row = 0; row < pool.rows; ++row) {
    for (uint32_t column = 0; column < pool.columns; ++column) {
      const uint32_t x = column * static_cast<uint32_t>(stride);
      const uint32_t y = row * static_cast<uint32_t>(stride);
      const auto split = split_block<kSide>(
          [&](uint32_t i, uint32_t j) { return int{means.at(x + i * factor, y + j * factor)}; });
      const size_t group = size_t{row} * pool.groups_across + column / kPoolGroup;
      int16_t* out = pool.words.data() + (group * kWords * kPoolGroup + column % kPoolGroup) * 2;
      for (size_t w = 0; w < kWords; ++w) {
        out[w * kPoolGroup * 2] = split.domain[w][0];
        out[w * kPoolGroup * 2 + 1] = split.domain[w][1];
      }
      pool.inverse_root[group * kPoolGroup + column % kPoolGroup] =
          inverse_root_of(sums.block(x, y, side), count);
    }
  }
  return pool;
}

template <uint32_t kSide>
RangeRow pack_ranges(const Plane<uint8_t>& image, const SizeSearch& search, uint32_t y) {
  constexpr size_t kWords = DihedralLayout<kSide>::kRangeWords;
  const uint32_t side = 1u << search.log2_side;
  const uint32_t factor = shrink_factor(search.log2_side);
  const size_t count = image.width / side;
  const size_t padded = (count + kSearchTile - 1) / kSearchTile * kSearchTile;
  RangeRow row;
  row.words.resize(padded * kWords);
  row.states.resize(padded);
  for (size_t i = 0; i < padded; ++i) {
    const uint32_t x = static_cast<uint32_t>(std::min(i, count - 1)) * side;
    row.states[i].home = home_place(x, y, side, search.field);
    const auto split = split_block<kSide>([&](uint32_t u, uint32_t v) {
      return box_mean(image.view(), x + u * factor, y + v * factor, factor);
    });
    for (size_t w = 0; w < kWords; ++w) {
      const auto low = static_cast<uint16_t>(split.range[w][0]);
      const auto high = static_cast<uint16_t>(split.range[w][1]);
      row.words[i * kWords + w] = static_cast<int32_t>(uint32_t{low} | (uint32_t{high} << 16));
    }
  }
  return row;
}

}  // namespace

SizeSearch prepare_search(const Plane<uint16_t>& half, uint32_t log2_side) {
  SizeSearch search;
  search.log2_side = log2_side;
  search.field = domain_field(half.width, half.height, 1u << log2_side);
  if (!search.field.usable()) {
    return search;
  }
  const Plane<uint16_t> means = box_means(half, shrink_factor(log2_side));
  const SummedArea sums(half);
  const auto pack = log2_side == 2 ? pack_pool<4> : pack_pool<8>;
  search.near = pack(means, sums, search.field, log2_side, 1);
  search.far = pack(means, sums, search.field, log2_side, 2);
  return search;
}

void search_block_row(const Plane<uint8_t>& image, const Plane<uint16_t>& half,
                      const SizeSearch& search, uint32_t block_row,
                      std::span<BlockCandidates> found) {
  std::fill(found.begin(), found.end(), BlockCandidates());
  if (!search.field.usable()) {
    return;
  }
  const uint32_t side = 1u << search.log2_side;
  const uint32_t y = block_row * side;
  RangeRow row =
      search.log2_side == 2 ? pack_ranges<4>(image, search, y) : pack_ranges<8>(image, search, y);
  TESSERA_DISPATCH(match_row_on_target)(search, row);
  for (size_t i = 0; i < found.size(); ++i) {
    for (uint32_t ring = 0; ring < kRingCount; ++ring) {
      if (row.states[i].found[ring].valid) {
        found[i][ring] = measure_domain(image.view(), half.view(), static_cast<uint32_t>(i) * side,
                                        y, side, row.states[i].found[ring]);
      }
    }
  }
}

}  // namespace tessera::fractal
#endif  // TESSERA_ONCE
