// Our coder's domain search on a device: the dot products of domain_search.h by the matrix units,
// with the same integers, scores and order of ties. A domain is four column slots of a tile: slot
// pairs hold the two isometries that are scored together (pair_isometry), one pair per lane of
// four.
#pragma once

#include <limits>

#include "fractal/cuda/tile_product-inl.h"
#include "fractal/distance_rings.h"
#include "fractal/domain_measures.h"

namespace tessera::fractal::device {

inline constexpr uint32_t kPoolDomainsPerTile = kTurnedPerTile / kIsometryCount;

struct alignas(16) DomainFacts {
  int32_t sum;   // of the compared samples
  int32_t mean;  // of them, rounded
  float inverse_root;
  float unused;
};

struct alignas(16) RangeFacts {
  int32_t sum;
  int32_t mean;
  DomainPlace home;
};

// Domains at every `stride` samples. A group is four consecutive ones of a row.
struct PoolWork {
  uint32_t stride;
  uint32_t columns, rows, groups_across;
  uint32_t min_ring, max_ring;  // classes that this pool answers for
  DomainFacts* facts;           // [row][groups_across · 4]
  FourWords* words;
  uint32_t splits;  // parts of the rows that a tile needs, each searched by other warps
  float* scores;    // [split][tile][class][row slot][lane]
  uint32_t* places;

  constexpr uint32_t rings() const { return max_ring - min_ring + 1; }
  constexpr uint32_t groups() const { return rows * groups_across; }
};

struct DomainWork {
  PlaneView<uint8_t> image;
  PlaneView<uint16_t> half;
  PlaneView<uint16_t> means;  // of the half-resolution image, see shrink_factor()
  uint32_t log2_side;
  uint32_t first_row;  // of the blocks that are searched
  uint32_t block_rows;
  DomainField field;
  RangeFacts* ranges;  // [block row][block]
  FourWords* range_words;
  PoolWork near;
  PoolWork far;
  DomainCandidate* candidates;  // [block row][block][class]

  constexpr uint32_t across() const { return image.width >> log2_side; }
  constexpr uint32_t tiles_across() const { return (across() + kTileRows - 1) / kTileRows; }
  constexpr uint32_t tiles() const { return tiles_across() * block_rows; }
  constexpr uint32_t samples() const { return compared_side(log2_side) * compared_side(log2_side); }
  constexpr uint32_t steps() const { return samples() / kStepSamples; }
};

// An item is a place of the half-resolution image; those without room for a box stay as they are.
struct BoxMeans {
  PlaneView<uint16_t> half;
  uint32_t factor;
  uint16_t* means;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const uint32_t x = item % half.width, y = item / half.width;
    if (x + factor <= half.width && y + factor <= half.height) {
      means[item] = static_cast<uint16_t>(box_mean(half, x, y, factor));
    }
  }
};

// An item is a domain of the padded pool. Those of the padding are flat, so nothing is found there.
struct FillDomainFacts {
  DomainWork work;
  PoolWork pool;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const uint32_t column = item % (pool.groups_across * kPoolDomainsPerTile);
    const uint32_t row = item / (pool.groups_across * kPoolDomainsPerTile);
    if (column >= pool.columns) {
      pool.facts[item] = {0, 0, 0.0f, 0.0f};
      return;
    }
    const uint32_t x = column * pool.stride, y = row * pool.stride;
    const uint32_t factor = shrink_factor(work.log2_side), compared = compared_side(work.log2_side);
    int32_t sum = 0;
    for (uint32_t j = 0; j < compared; ++j) {
      for (uint32_t i = 0; i < compared; ++i) {
        sum += work.means.at(x + i * factor, y + j * factor);
      }
    }
    BlockSums block;
    const uint32_t side = 1u << work.log2_side;
    for (uint32_t j = 0; j < side; ++j) {
      for (uint32_t i = 0; i < side; ++i) {
        const int64_t value = work.half.at(x + i, y + j);
        block.sum += value;
        block.squares += value * value;
      }
    }
    const double count = double{1} * side * side;
    pool.facts[item] = {sum, rounded_mean_of(sum, static_cast<int>(work.samples())),
                        inverse_root_of(block, count), 0.0f};
  }
};

// An item is a word of four samples.
struct PackPool {
  DomainWork work;
  PoolWork pool;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const WordPlace place = column_word_place(item, work.steps());
    const uint32_t slot = place.line / 8;
    const uint32_t isometry = pair_isometry(place.line / 2 % 4, slot % 2 != 0);
    const uint32_t wanted = place.tile % pool.groups_across * kPoolDomainsPerTile + slot / 2;
    const uint32_t column = wanted < pool.columns ? wanted : pool.columns - 1;
    const uint32_t x = column * pool.stride, y = place.tile / pool.groups_across * pool.stride;
    const uint32_t factor = shrink_factor(work.log2_side), compared = compared_side(work.log2_side);
    const Traversal way = traversal(isometry, compared, compared);
    pool.words[item / 4].word[item % 4] = pack_bytes(place.line % 2, [&](uint32_t i) {
      const uint32_t sample = place.sample + i;
      const auto source =
          static_cast<uint32_t>(way.base + static_cast<ptrdiff_t>(sample % compared) * way.step_x +
                                static_cast<ptrdiff_t>(sample / compared) * way.step_y);
      return work.means.at(x + source % compared * factor, y + source / compared * factor);
    });
  }
};

TESSERA_DEVICE_CODE int range_sample(const DomainWork& work, uint32_t column, uint32_t block_row,
                                     uint32_t sample) {
  const uint32_t factor = shrink_factor(work.log2_side), compared = compared_side(work.log2_side);
  return box_mean(work.image, (column << work.log2_side) + sample % compared * factor,
                  ((work.first_row + block_row) << work.log2_side) + sample / compared * factor,
                  factor);
}

// An item is a block.
struct FillRangeFacts {
  DomainWork work;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const uint32_t column = item % work.across(), row = item / work.across();
    int32_t sum = 0;
    for (uint32_t i = 0; i < work.samples(); ++i) {
      sum += range_sample(work, column, row, i);
    }
    const uint32_t side = 1u << work.log2_side;
    work.ranges[item] = {
        sum, rounded_mean_of(sum, static_cast<int>(work.samples())),
        home_place(column * side, (work.first_row + row) * side, side, work.field)};
  }
};

// An item is a word of four samples. A tile is 32 blocks of one block row; the last one of a row is
// repeated.
struct PackBlocks {
  DomainWork work;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const WordPlace place = row_word_place(item, work.steps());
    const uint32_t wanted = place.tile % work.tiles_across() * kTileRows + place.line;
    const uint32_t column = wanted < work.across() ? wanted : work.across() - 1;
    work.range_words[item / 4].word[item % 4] = pack_bytes(0, [&](uint32_t i) {
      return range_sample(work, column, place.tile / work.tiles_across(), place.sample + i);
    });
  }
};

// What a lane knows of its rows; the best of each class lie in shared memory, as numbers of classes
// are not known early.
struct LaneRanges {
  int32_t sum[kRowSlots];  // without count·mean, and so what rounding has left of it
  int32_t mean[kRowSlots];
  int32_t home_x[kRowSlots];
  int32_t home_y;
};

// An item is a tile of ranges and a part of the pool's rows.
template <uint32_t kSteps>
struct SearchPool {
  DomainWork work;
  PoolWork pool;

  template <class Warp>
  TESSERA_DEVICE_CODE void operator()(uint32_t item, Warp& warp) const {
    const uint32_t tile = item % work.tiles(), split = item / work.tiles();
    typename Warp::template PerLane<LaneRanges> ranges;
    typename Warp::template PerLane<FourWords> rows[kSteps];
    warp.each_lane([&](unsigned lane) {
      start(tile, lane, warp.shared, ranges[lane]);
      TESSERA_UNROLLED
      for (uint32_t step = 0; step < kSteps; ++step) {
        rows[step][lane] = work.range_words[(size_t{tile} * kSteps + step) * kLanes + lane];
      }
    });
    const Part part = part_of(tile, split);
    for (uint32_t row = part.first_row; row < part.end_row; ++row) {
      for (uint32_t group = part.first_group; group < part.end_group; ++group) {
        const FourWords* columns =
            pool.words + (size_t{row} * pool.groups_across + group) * kSteps * kLanes * 2;
        typename Warp::template PerLane<TileSums> sums;
        warp.each_lane([&](unsigned lane) { sums[lane].clear(); });
        TESSERA_UNROLLED
        for (uint32_t step = 0; step < kSteps; ++step) {
          typename Warp::template PerLane<StepWords> words;
          warp.each_lane([&](unsigned lane) {
            words[lane] = {
                rows[step][lane],
                {columns[(step * kLanes + lane) * 2], columns[(step * kLanes + lane) * 2 + 1]}};
          });
          warp.multiply(words, sums);
        }
        warp.each_lane([&](unsigned lane) {
          score_group(row, group, lane, sums[lane], ranges[lane], warp.shared);
        });
      }
    }
    warp.each_lane([&](unsigned lane) { write(item, lane, warp.shared); });
  }

  // Floats of shared memory that a warp needs: a score and a place for each class, row and lane.
  static constexpr size_t shared_floats(const PoolWork& pool) {
    return size_t{2} * pool.rings() * kRowSlots * kLanes;
  }

 private:
  struct Part {
    uint32_t first_row, end_row, first_group, end_group;
  };

  // Always of numbers that are not negative: a device's compiler has been seen to lose the sign of
  // a number that it negates and compares.
  TESSERA_DEVICE_CODE static int32_t distance(int32_t a, int32_t b) {
    return a > b ? a - b : b - a;
  }
  TESSERA_DEVICE_CODE static int32_t greater(int32_t a, int32_t b) { return a > b ? a : b; }
  TESSERA_DEVICE_CODE static int32_t lesser(int32_t a, int32_t b) { return a < b ? a : b; }

  TESSERA_DEVICE_CODE float* best_of(float* shared, uint32_t ring, unsigned slot,
                                     unsigned lane) const {
    return shared + ((ring - pool.min_ring) * kRowSlots + slot) * kLanes + lane;
  }
  TESSERA_DEVICE_CODE uint32_t* place_of(float* shared, uint32_t ring, unsigned slot,
                                         unsigned lane) const {
    return reinterpret_cast<uint32_t*>(shared) + pool.rings() * kRowSlots * kLanes +
           ((ring - pool.min_ring) * kRowSlots + slot) * kLanes + lane;
  }

  TESSERA_DEVICE_CODE void start(uint32_t tile, unsigned lane, float* shared,
                                 LaneRanges& own) const {
    const uint32_t block_row = tile / work.tiles_across();
    TESSERA_UNROLLED
    for (unsigned slot = 0; slot < kRowSlots; ++slot) {
      const uint32_t wanted = tile % work.tiles_across() * kTileRows + slot * 8 + lane / 4;
      const uint32_t column = wanted < work.across() ? wanted : work.across() - 1;
      const RangeFacts facts = work.ranges[block_row * work.across() + column];
      own.sum[slot] = facts.sum - static_cast<int32_t>(work.samples()) * facts.mean;
      own.mean[slot] = facts.mean;
      own.home_x[slot] = facts.home.x;
      own.home_y = facts.home.y;
      for (uint32_t ring = pool.min_ring; ring <= pool.max_ring; ++ring) {
        *best_of(shared, ring, slot, lane) = 0.0f;
        *place_of(shared, ring, slot, lane) = 0;
      }
    }
  }

  // The rows and groups that hold domains within reach of the tile's ranges, and this split's
  // share.
  TESSERA_DEVICE_CODE Part part_of(uint32_t tile, uint32_t split) const {
    const uint32_t block_row = tile / work.tiles_across();
    const uint32_t first = tile % work.tiles_across() * kTileRows;
    const uint32_t last =
        first + kTileRows <= work.across() ? first + kTileRows - 1 : work.across() - 1;
    const RangeFacts* ranges = work.ranges + block_row * work.across();
    const auto stride = static_cast<int32_t>(pool.stride);
    const int32_t reach = (1 << pool.max_ring) - 1;
    const int32_t top = ranges[first].home.y - reach, bottom = ranges[first].home.y + reach;
    const int32_t left = ranges[first].home.x - reach, right = ranges[last].home.x + reach;
    const uint32_t begin = static_cast<uint32_t>(top > 0 ? (top + stride - 1) / stride : 0);
    const uint32_t below = static_cast<uint32_t>(bottom / stride) + 1;
    const uint32_t end = below < pool.rows ? below : pool.rows;
    const uint32_t count = end > begin ? end - begin : 0;
    const uint32_t after = static_cast<uint32_t>(right / stride) / kPoolDomainsPerTile + 1;
    return {begin + count * split / pool.splits, begin + count * (split + 1) / pool.splits,
            static_cast<uint32_t>(left > 0 ? left / stride : 0) / kPoolDomainsPerTile,
            after < pool.groups_across ? after : pool.groups_across};
  }

  // The lowest score that could be news: the smallest best of the classes that the group touches.
  TESSERA_DEVICE_CODE float threshold_of(uint32_t row, uint32_t group, unsigned slot, unsigned lane,
                                         const LaneRanges& own, float* shared) const {
    const auto stride = static_cast<int32_t>(pool.stride);
    const int32_t first = static_cast<int32_t>(group * kPoolDomainsPerTile) * stride;
    const int32_t end = first + static_cast<int32_t>(kPoolDomainsPerTile - 1) * stride;
    const int32_t home = own.home_x[slot];
    const int32_t dy = distance(static_cast<int32_t>(row) * stride, own.home_y);
    const int32_t to_first = distance(first, home), to_end = distance(end, home);
    // Domains on both sides of the home: one of them is near.
    const bool is_beside = first > home || end < home;
    const int32_t beside = is_beside ? lesser(to_first, to_end) : 0;
    uint32_t ring = ring_of_distance(greater(dy, beside));
    uint32_t last = ring_of_distance(greater(dy, greater(to_first, to_end)));
    ring = ring > pool.min_ring ? ring : pool.min_ring;
    last = last < pool.max_ring ? last : pool.max_ring;
    float threshold =
        std::numeric_limits<float>::infinity();  // classes that the other pool answers for
    for (; ring <= last; ++ring) {
      const float best = *best_of(shared, ring, slot, lane);
      threshold = best < threshold ? best : threshold;
    }
    return threshold;
  }

  TESSERA_DEVICE_CODE void score_group(uint32_t row, uint32_t group, unsigned lane,
                                       const TileSums& sums, const LaneRanges& own,
                                       float* shared) const {
    float threshold[kRowSlots];
    TESSERA_UNROLLED
    for (unsigned slot = 0; slot < kRowSlots; ++slot) {
      threshold[slot] = threshold_of(row, group, slot, lane, own, shared);
    }
    TESSERA_UNROLLED
    for (unsigned d = 0; d < kPoolDomainsPerTile; ++d) {
      const uint32_t column = group * kPoolDomainsPerTile + d;
      const DomainFacts facts =
          pool.facts[size_t{row} * pool.groups_across * kPoolDomainsPerTile + column];
      TESSERA_UNROLLED
      for (unsigned slot = 0; slot < kRowSlots; ++slot) {
        // Σ(a − mean)(b − mean) for both isometries of the pair.
        const int32_t moved = facts.mean * own.sum[slot] + own.mean[slot] * facts.sum;
        const int32_t one = sums.dot(slot, 2 * d) - moved;
        const int32_t two = sums.dot(slot, 2 * d + 1) - moved;
        const int32_t size1 = one < 0 ? -one : one, size2 = two < 0 ? -two : two;
        // The CPU's sums are eight times as large.
        const float score =
            static_cast<float>(8 * (size1 > size2 ? size1 : size2)) * facts.inverse_root;
        if (score > threshold[slot]) {
          const bool is_opposite = (one + two < 0) != (one - two < 0);
          keep(row, column, slot, lane, score, is_opposite, own, shared);
        }
      }
    }
  }

  TESSERA_DEVICE_CODE void keep(uint32_t row, uint32_t column, unsigned slot, unsigned lane,
                                float score, bool is_opposite, const LaneRanges& own,
                                float* shared) const {
    const DomainPlace place = {static_cast<int32_t>(column * pool.stride),
                               static_cast<int32_t>(row * pool.stride)};
    const uint32_t ring = ring_of(place, {own.home_x[slot], own.home_y});
    if (ring < pool.min_ring || ring > pool.max_ring ||
        !(score > *best_of(shared, ring, slot, lane))) {
      return;
    }
    *best_of(shared, ring, slot, lane) = score;
    *place_of(shared, ring, slot, lane) =
        (row * pool.columns + column) * 8 + lane % 4 * 2 + (is_opposite ? 1 : 0);
  }

  TESSERA_DEVICE_CODE void write(uint32_t item, unsigned lane, float* shared) const {
    for (uint32_t ring = pool.min_ring; ring <= pool.max_ring; ++ring) {
      for (unsigned slot = 0; slot < kRowSlots; ++slot) {
        const size_t at =
            ((size_t{item} * pool.rings() + ring - pool.min_ring) * kRowSlots + slot) * kLanes +
            lane;
        pool.scores[at] = *best_of(shared, ring, slot, lane);
        pool.places[at] = *place_of(shared, ring, slot, lane);
      }
    }
  }
};

// An item is a block and a class: the best of all lanes that had it, measured.
struct FinishCandidates {
  DomainWork work;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const uint32_t ring = item % kRingCount;
    // One after the other, not by an address that differs between threads.
    if (ring < kFirstCoarseRing) {
      finish(item, ring, work.near);
    } else {
      finish(item, ring, work.far);
    }
  }

 private:
  TESSERA_DEVICE_CODE void finish(uint32_t item, uint32_t ring, const PoolWork& pool) const {
    const uint32_t block = item / kRingCount;
    const uint32_t column = block % work.across(), block_row = block / work.across();
    const uint32_t tile = block_row * work.tiles_across() + column / kTileRows;
    const uint32_t row = column % kTileRows;
    float score = 0.0f;
    uint32_t place = 0;
    for (uint32_t split = 0; split < pool.splits; ++split) {
      const size_t first =
          (((size_t{split} * work.tiles() + tile) * pool.rings() + ring - pool.min_ring) *
               kRowSlots +
           row / 8) *
              kLanes +
          row % 8 * 4;
      for (uint32_t i = 0; i < 4; ++i) {
        const float other = pool.scores[first + i];
        if (other > score || (other == score && other > 0 && pool.places[first + i] < place)) {
          score = other;
          place = pool.places[first + i];
        }
      }
    }
    DomainCandidate candidate;
    if (score > 0) {
      const uint32_t domain = place / 8;
      const FoundDomain found = {static_cast<uint16_t>(domain % pool.columns * pool.stride),
                                 static_cast<uint16_t>(domain / pool.columns * pool.stride),
                                 pair_isometry(place / 2 % 4, place % 2 != 0), true};
      candidate = measure_domain(work.image, work.half, column << work.log2_side,
                                 (work.first_row + block_row) << work.log2_side,
                                 1u << work.log2_side, found);
    }
    work.candidates[item] = candidate;
  }
};

}  // namespace tessera::fractal::device
