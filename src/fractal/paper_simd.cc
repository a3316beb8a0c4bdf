// The paper's search in lanes, compiled for every instruction set.
#include <algorithm>
#include <cmath>

#include "fractal/paper_search.h"
#include "fractal/rotation_split.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "fractal/paper_simd.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "fractal/paper_simd-inl.h"

#ifndef TESSERA_FRACTAL_PAPER_SIMD_RANGES_
#define TESSERA_FRACTAL_PAPER_SIMD_RANGES_
namespace tessera::fractal {

// Ranges packed for the kernel; a panel of them stays in the second-level cache while all domains
// pass by.
struct PackedRanges {
  std::vector<int32_t> words;
  std::vector<int32_t> offset_sum;
  std::vector<BestMatch> best;
};

}  // namespace tessera::fractal
#endif

TESSERA_TARGET_BEGIN();
namespace tessera::fractal::TESSERA_TARGET {

template <bool kAll>
void match_panel(const PackedDomains& domains, size_t orbit_pairs, PackedRanges& ranges) {
  const size_t range_count = ranges.best.size();
  const size_t tiles = (range_count + kTileRanges - 1) / kTileRanges;
  std::vector<RangeTile> tile(tiles);
  // Spare ranges of the last tile repeat its last range, for a match that nobody reads.
  std::vector<BestMatch> spare(kTileRanges);
  for (size_t t = 0; t < tiles; ++t) {
    for (size_t r = 0; r < kTileRanges; ++r) {
      const size_t wanted = t * kTileRanges + r;
      const size_t range = std::min(wanted, range_count - 1);
      tile[t].words[r] = ranges.words.data() + range * orbit_pairs * kRangePairWords;
      tile[t].offset_sum[r] = static_cast<float>(ranges.offset_sum[range]);
      tile[t].exact_offset_sum[r] = ranges.offset_sum[range];
      tile[t].best[r] = wanted < range_count ? &ranges.best[wanted] : &spare[r];
      tile[t].threshold[r] = 0.0f;
    }
  }
  const size_t groups = (domains.count + kDomainGroup - 1) / kDomainGroup;
  for (size_t group = 0; group < groups; ++group) {
    for (RangeTile& some : tile) {
      match_group<kAll>(domains, group, orbit_pairs, some);
    }
  }
}

void match_panel_on_target(const PackedDomains& domains, size_t orbit_pairs, RotationSet rotations,
                           PackedRanges& ranges) {
  if (rotations == RotationSet::kAll) {
    match_panel<true>(domains, orbit_pairs, ranges);
  } else {
    match_panel<false>(domains, orbit_pairs, ranges);
  }
}

}  // namespace tessera::fractal::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::fractal {
namespace {

TESSERA_EXPORT(match_panel_on_target);

// Bytes of packed ranges that go through the domains together.
constexpr size_t kPanelBytes = 192 * 1024;

int32_t rounded_mean(int64_t sum, int64_t count) {
  return static_cast<int32_t>((2 * sum + count) / (2 * count));
}

template <typename T>
BlockSums sums_at(const Plane<T>& plane, const BlockPosition& block, uint32_t side) {
  BlockSums sums;
  for (uint32_t y = 0; y < side; ++y) {
    const T* row = plane.row(block.y + y) + block.x;
    // Samples are at most 1020, so that 32 bits hold the squares of so many.
    constexpr uint32_t kPart = 2048;
    for (uint32_t first = 0; first < side; first += kPart) {
      const uint32_t end = std::min(side, first + kPart);
      uint32_t sum = 0;
      uint32_t squares = 0;
      for (uint32_t x = first; x < end; ++x) {
        sum += row[x];
        squares += uint32_t{row[x]} * row[x];
      }
      sums.sum += sum;
      sums.squares += squares;
    }
  }
  return sums;
}

int32_t pair_word(int low, int high) {
  return static_cast<int32_t>(static_cast<uint32_t>(low & 0xFFFF) |
                              (static_cast<uint32_t>(high & 0xFFFF) << 16));
}

void pack_range(const std::vector<OrbitValues>& orbits, int32_t* words) {
  for (size_t j = 0; j < orbits.size(); j += 2, words += kRangePairWords) {
    const OrbitValues& one = orbits[j];
    const OrbitValues& two = orbits[j + 1];
    words[0] = pair_word(one.z, two.z);
    words[1] = pair_word(one.y, two.y);
    words[2] = pair_word(one.p, one.q);
    words[3] = pair_word(-one.q, one.p);
    words[4] = pair_word(two.p, two.q);
    words[5] = pair_word(-two.q, two.p);
  }
}

void pack_domain(const std::vector<OrbitValues>& orbits, size_t place, int16_t* group) {
  for (size_t j = 0; j < orbits.size(); j += 2) {
    const int16_t values[kDomainPairWords][2] = {{orbits[j].z, orbits[j + 1].z},
                                                 {orbits[j].y, orbits[j + 1].y},
                                                 {orbits[j].p, orbits[j].q},
                                                 {orbits[j + 1].p, orbits[j + 1].q}};
    for (size_t k = 0; k < kDomainPairWords; ++k) {
      int16_t* out = group + (((j / 2) * kDomainPairWords + k) * kDomainGroup + place) * 2;
      out[0] = values[k][0];
      out[1] = values[k][1];
    }
  }
}

}  // namespace

PackedDomains pack_domains(const SearchTask& task) {
  PackedDomains packed;
  packed.side = task.side;
  packed.count = task.domains.size();
  const int64_t count = int64_t{task.side} * task.side;
  const size_t groups = (packed.count + kDomainGroup - 1) / kDomainGroup;
  const size_t padded = groups * kDomainGroup;
  packed.components.assign(padded * static_cast<size_t>(count), 0);
  packed.variance.assign(padded, 0.0f);
  packed.inverse_variance.assign(padded, 0.0f);
  packed.sum.assign(padded, 0.0f);
  packed.offset_sum.assign(padded, 0);
  packed.exact_variance.assign(padded, 0);
  std::vector<OrbitValues> orbits;
  for (size_t d = 0; d < packed.count; ++d) {
    const BlockPosition& place = task.domains[d];
    const BlockSums sums = sums_at(*task.half, place, task.side);
    const int32_t offset = rounded_mean(sums.sum, count);
    const int64_t variance = count * sums.squares - sums.sum * sums.sum;
    packed.exact_variance[d] = variance;
    packed.variance[d] = static_cast<float>(variance);
    packed.inverse_variance[d] = variance > 0 ? 1.0f / static_cast<float>(variance) : 0.0f;
    packed.offset_sum[d] = static_cast<int32_t>(sums.sum - count * offset);
    packed.sum[d] = static_cast<float>(packed.offset_sum[d]);
    split_rotations(task.half->row(place.y) + place.x, task.half->width, task.side, offset, orbits);
    pack_domain(
        orbits, d % kDomainGroup,
        packed.components.data() + d / kDomainGroup * kDomainGroup * static_cast<size_t>(count));
  }
  return packed;
}

void search_simd(const SearchTask& task, const PackedDomains& domains,
                 std::span<const BlockPosition> ranges, std::span<BlockMatch> matches) {
  const int64_t count = int64_t{task.side} * task.side;
  const size_t orbit_pairs = static_cast<size_t>(count) / 8;
  const size_t range_bytes = orbit_pairs * kRangePairWords * sizeof(int32_t);
  const size_t panel = std::clamp<size_t>(kPanelBytes / range_bytes, 3, 3072) / 3 * 3;
  std::vector<OrbitValues> orbits;
  PackedRanges packed;
  std::vector<BlockSums> sums;
  for (size_t first = 0; first < ranges.size(); first += panel) {
    const size_t in_panel = std::min(panel, ranges.size() - first);
    packed.words.resize(in_panel * orbit_pairs * kRangePairWords);
    packed.offset_sum.resize(in_panel);
    packed.best.assign(in_panel, BestMatch());
    sums.resize(in_panel);
    for (size_t i = 0; i < in_panel; ++i) {
      const BlockPosition& place = ranges[first + i];
      sums[i] = sums_at(*task.image, place, task.side);
      const int32_t offset = rounded_mean(sums[i].sum, count);
      packed.offset_sum[i] = static_cast<int32_t>(sums[i].sum - count * offset);
      split_rotations(task.image->row(place.y) + place.x, task.image->width, task.side, offset,
                      orbits);
      pack_range(orbits, packed.words.data() + i * orbit_pairs * kRangePairWords);
    }
    TESSERA_DISPATCH(match_panel_on_target)(domains, orbit_pairs, task.rotations, packed);
    for (size_t i = 0; i < in_panel; ++i) {
      matches[first + i] = packed.best[i].finish(sums[i], count);
    }
  }
}

}  // namespace tessera::fractal
#endif  // TESSERA_ONCE
