// The paper's search on a device: a matrix product of all ranges with all turned domains, fused
// with the search for the best score. All sums are exact, and scores are those of paper_search.h in
// its order of ties, so matches are the CPU's to the last bit.
//
// Blocks of up to 64x64 samples are multiplied and scored by MatchTiles. Larger ones, of which
// there are few, are multiplied in chunks of samples by MultiplyChunks, whose sums are added in 64
// bits.
#pragma once

#include "fractal/cuda/tile_product-inl.h"
#include "fractal/isometry.h"
#include "fractal/paper_search.h"
#include "fractal/plane.h"

namespace tessera::fractal::device {

inline constexpr uint32_t kDomainsPerTile = kTurnedPerTile / kRotationCount;

// The domain's part of a score, as the CPU forms it.
struct alignas(16) DomainStats {
  double sum;
  double variance;  // count·Σa² − (Σa)²
};

// What a lane has found for one row.
struct LaneBest {
  double gain;
  double scale;
  uint32_t domain;
};

// Blocks of one size, all in memory of the device.
struct PaperWork {
  PlaneView<uint8_t> image;
  PlaneView<uint16_t> half;
  uint32_t log2_side;
  uint32_t rotation_step;  // 1: all four, 2: half turns only
  uint32_t range_count;
  uint32_t domain_count;
  const BlockPosition* ranges;
  const BlockPosition* domains;
  BlockSums* row_sums;  // of the rows of ranges or domains, whichever is being added
  BlockSums* joined_rows;
  BlockSums* range_sums;
  BlockSums* domain_sums;
  DomainStats* stats;
  FourWords* range_words;
  FourWords* domain_words;
  uint32_t splits;     // parts of the domains, each searched by other warps
  LaneBest* bests;     // [split][tile][row slot][lane]
  int32_t* part_dots;  // [chunk][group of domains][tile][row slot][column slot][lane]
  int64_t* dots;       // [range][domain][rotation]
  BlockMatch* matches;

  TESSERA_DEVICE_CODE uint32_t side() const { return 1u << log2_side; }
  TESSERA_DEVICE_CODE int64_t samples() const { return int64_t{1} << (2 * log2_side); }
  constexpr uint32_t steps() const { return (1u << (2 * log2_side)) / kStepSamples; }
  constexpr uint32_t chunks() const { return (steps() + kMaxStepsOfSums - 1) / kMaxStepsOfSums; }
  constexpr uint32_t tiles() const { return (range_count + kTileRows - 1) / kTileRows; }
  constexpr uint32_t groups() const {
    return (domain_count + kDomainsPerTile - 1) / kDomainsPerTile;
  }
};

// An item is a sample of the half-resolution image.
struct HalveImage {
  PlaneView<uint8_t> image;
  uint16_t* half;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const uint32_t width = image.width / 2;
    half[item] = sum_of_four(image, item % width, item / width);
  }
};

// An item is a row of a block.
template <typename T>
struct SumRows {
  PlaneView<T> plane;
  const BlockPosition* blocks;
  uint32_t log2_side;
  BlockSums* row_sums;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const BlockPosition at = blocks[item >> log2_side];
    const uint32_t side = 1u << log2_side;
    const T* row = plane.row(at.y + (item & (side - 1))) + at.x;
    BlockSums sums;
    for (uint32_t x = 0; x < side; ++x) {
      const int64_t value = row[x];
      sums.sum += value;
      sums.squares += value * value;
    }
    row_sums[item] = sums;
  }
};

// Of rows that lie behind each other.
TESSERA_DEVICE_CODE BlockSums sum_of_rows(const BlockSums* rows, uint32_t count) {
  BlockSums all;
  for (uint32_t i = 0; i < count; ++i) {
    all.sum += rows[i].sum;
    all.squares += rows[i].squares;
  }
  return all;
}

// An item is a run of rows of a large block, which become one: threads should not add for long.
struct JoinRows {
  const BlockSums* row_sums;
  uint32_t count;
  BlockSums* joined;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    joined[item] = sum_of_rows(row_sums + size_t{item} * count, count);
  }
};

// An item is a block.
struct SumBlocks {
  const BlockSums* row_sums;
  uint32_t rows;  // of a block
  uint32_t log2_side;
  BlockSums* block_sums;
  DomainStats* stats;  // null for ranges

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const BlockSums all = sum_of_rows(row_sums + size_t{item} * rows, rows);
    block_sums[item] = all;
    if (stats != nullptr) {
      const int64_t count = int64_t{1} << (2 * log2_side);
      stats[item] = {static_cast<double>(all.sum),
                     static_cast<double>(count * all.squares - all.sum * all.sum)};
    }
  }
};

// An item is a word of four samples. Rows after the last range repeat it.
struct PackRanges {
  PaperWork work;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const WordPlace place = row_word_place(item, work.steps());
    const uint32_t wanted = place.tile * kTileRows + place.line;
    const BlockPosition at = work.ranges[wanted < work.range_count ? wanted : work.range_count - 1];
    const uint8_t* samples = work.image.row(at.y + (place.sample >> work.log2_side)) + at.x +
                             (place.sample & (work.side() - 1));
    work.range_words[item / 4].word[item % 4] =
        pack_bytes(0, [&](uint32_t i) { return samples[i]; });
  }
};

// The columns of a tile are eight domains, each turned four ways, as two bytes.
struct PackDomains {
  PaperWork work;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const WordPlace place = column_word_place(item, work.steps());
    const uint32_t wanted = place.tile * kDomainsPerTile + place.line / 8;
    const BlockPosition at =
        work.domains[wanted < work.domain_count ? wanted : work.domain_count - 1];
    const Traversal way = traversal(place.line / 2 % 4, work.side(), work.half.width);
    const ptrdiff_t x = place.sample & (work.side() - 1);
    const ptrdiff_t y = place.sample >> work.log2_side;
    const uint16_t* first = work.half.row(at.y) + at.x + way.base + x * way.step_x + y * way.step_y;
    work.domain_words[item / 4].word[item % 4] = pack_bytes(
        place.line % 2, [&](uint32_t i) { return first[static_cast<ptrdiff_t>(i) * way.step_x]; });
  }
};

// What a lane knows of its four rows.
struct RowBests {
  double sum[kRowSlots];
  LaneBest best[kRowSlots];

  // `dot` is Σab. Whatever its s, a pairing gains at most covariance²/variance; so most need no
  // division. The factor covers all rounding.
  TESSERA_DEVICE_CODE void offer(unsigned slot, uint32_t domain, double count, int32_t dot,
                                 const DomainStats& stats) {
    constexpr double kMargin = 1.0 - 1.0 / (int64_t{1} << 48);
    const double covariance = count * dot - stats.sum * sum[slot];
    LaneBest& own = best[slot];
    if (covariance > 0 && covariance * covariance > own.gain * stats.variance * kMargin) {
      const ScaleAndGain score =
          score_pairing(static_cast<int64_t>(covariance), static_cast<int64_t>(stats.variance));
      if (score.gain > own.gain) {
        own = {score.gain, score.scale, domain};
      }
    }
  }
};

// An item is a tile of ranges and a part of the domains; each lane keeps the best of its rows, in
// its rotation.
struct MatchTiles {
  PaperWork work;

  template <class Warp>
  TESSERA_DEVICE_CODE void operator()(uint32_t item, Warp& warp) const {
    const uint32_t tile = item % work.tiles(), split = item / work.tiles();
    const uint32_t groups = work.groups(), steps = work.steps();
    const auto count = static_cast<double>(work.samples());
    typename Warp::template PerLane<RowBests> rows;
    warp.each_lane([&](unsigned lane) { start(tile, lane, rows[lane]); });
    const auto first = static_cast<uint32_t>(uint64_t{groups} * split / work.splits);
    const auto end = static_cast<uint32_t>(uint64_t{groups} * (split + 1) / work.splits);
    for (uint32_t group = first; group < end; ++group) {
      typename Warp::template PerLane<TileSums> sums;
      warp.each_lane([&](unsigned lane) { sums[lane].clear(); });
      add_products(warp, work.range_words + size_t{tile} * steps * kLanes,
                   work.domain_words + size_t{group} * steps * kLanes * 2, steps, sums);
      warp.each_lane([&](unsigned lane) {
        if (lane % 4 % work.rotation_step == 0) {
          score(group, count, sums[lane], rows[lane]);
        }
      });
    }
    warp.each_lane([&](unsigned lane) {
      TESSERA_UNROLLED
      for (unsigned slot = 0; slot < kRowSlots; ++slot) {
        work.bests[(item * kRowSlots + slot) * kLanes + lane] = rows[lane].best[slot];
      }
    });
  }

 private:
  TESSERA_DEVICE_CODE void start(uint32_t tile, unsigned lane, RowBests& rows) const {
    TESSERA_UNROLLED
    for (unsigned slot = 0; slot < kRowSlots; ++slot) {
      const uint32_t wanted = tile * kTileRows + slot * 8 + lane / 4;
      const uint32_t range = wanted < work.range_count ? wanted : work.range_count - 1;
      rows.sum[slot] = static_cast<double>(work.range_sums[range].sum);
      rows.best[slot] = {0.0, 0.0, 0};
    }
  }

  TESSERA_DEVICE_CODE void score(uint32_t group, double count, const TileSums& sums,
                                 RowBests& rows) const {
    TESSERA_UNROLLED
    for (unsigned n = 0; n < kColumnSlots; ++n) {
      const uint32_t domain = group * kDomainsPerTile + n;
      if (domain < work.domain_count) {
        const DomainStats stats = work.stats[domain];
        TESSERA_UNROLLED
        for (unsigned slot = 0; slot < kRowSlots; ++slot) {
          rows.offer(slot, domain, count, sums.dot(slot, n), stats);
        }
      }
    }
  }
};

// An item is a range: the best of all lanes that had it.
struct FinishMatches {
  PaperWork work;

  TESSERA_DEVICE_CODE void operator()(uint32_t range) const {
    const uint32_t tile = range / kTileRows, row = range % kTileRows;
    BestMatch match;
    for (uint32_t split = 0; split < work.splits; ++split) {
      const LaneBest* lanes =
          work.bests + ((split * work.tiles() + tile) * kRowSlots + row / 8) * kLanes + row % 8 * 4;
      for (uint32_t rotation = 0; rotation < kRotationCount; ++rotation) {
        const LaneBest& other = lanes[rotation];
        const bool is_first = other.domain < match.domain ||
                              (other.domain == match.domain && rotation < match.rotation);
        if (other.gain > match.best.gain ||
            (other.gain == match.best.gain && other.gain > 0 && is_first)) {
          match.domain = other.domain;
          match.rotation = rotation;
          match.best = {other.scale, other.gain};
        }
      }
    }
    work.matches[range] = match.finish(work.range_sums[range], work.samples());
  }
};

// An item is a chunk of samples, eight domains and a tile of ranges.
struct MultiplyChunks {
  PaperWork work;

  template <class Warp>
  TESSERA_DEVICE_CODE void operator()(uint32_t item, Warp& warp) const {
    const uint32_t tile = item % work.tiles(), group = item / work.tiles() % work.groups();
    const uint32_t first = item / work.tiles() / work.groups() * kMaxStepsOfSums;
    const uint32_t rest = work.steps() - first;
    typename Warp::template PerLane<TileSums> sums;
    warp.each_lane([&](unsigned lane) { sums[lane].clear(); });
    add_products(warp, work.range_words + (size_t{tile} * work.steps() + first) * kLanes,
                 work.domain_words + (size_t{group} * work.steps() + first) * kLanes * 2,
                 rest < kMaxStepsOfSums ? rest : kMaxStepsOfSums, sums);
    warp.each_lane([&](unsigned lane) {
      TESSERA_UNROLLED
      for (unsigned slot = 0; slot < kRowSlots; ++slot) {
        TESSERA_UNROLLED
        for (unsigned n = 0; n < kColumnSlots; ++n) {
          work.part_dots[((item * kRowSlots + slot) * kColumnSlots + n) * kLanes + lane] =
              sums[lane].dot(slot, n);
        }
      }
    });
  }
};

// An item is a range, a domain and a rotation.
struct AddChunks {
  PaperWork work;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const uint32_t rotation = item % kRotationCount;
    const uint32_t domain = item / kRotationCount % work.domain_count;
    const uint32_t range = item / kRotationCount / work.domain_count;
    const uint32_t row = range % kTileRows;
    int64_t total = 0;
    for (uint32_t chunk = 0; chunk < work.chunks(); ++chunk) {
      const uint32_t product =
          (chunk * work.groups() + domain / kDomainsPerTile) * work.tiles() + range / kTileRows;
      total += work.part_dots[((product * kRowSlots + row / 8) * kColumnSlots +
                               domain % kDomainsPerTile) *
                                  kLanes +
                              row % 8 * 4 + rotation];
    }
    work.dots[item] = total;
  }
};

// An item is a range of the large blocks.
struct ScoreDots {
  PaperWork work;

  TESSERA_DEVICE_CODE void operator()(uint32_t range) const {
    const BlockSums& sums = work.range_sums[range];
    const int64_t count = work.samples();
    BestMatch match;
    for (uint32_t domain = 0; domain < work.domain_count; ++domain) {
      const BlockSums& other = work.domain_sums[domain];
      const int64_t variance = count * other.squares - other.sum * other.sum;
      for (uint32_t rotation = 0; rotation < kRotationCount; rotation += work.rotation_step) {
        const int64_t dot =
            work.dots[(size_t{range} * work.domain_count + domain) * kRotationCount + rotation];
        match.offer(domain, rotation, count * dot - other.sum * sums.sum, variance);
      }
    }
    work.matches[range] = match.finish(sums, count);
  }
};

}  // namespace tessera::fractal::device
