// The searches as lists of stages. A Machine runs them; tests have one that runs on the host. It
// has
//   run(items, work)                    calls work(item) for each item
//   run_tiles(items, floats, work)      calls work(item, warp) for each, with shared floats per
//   warp warps_wanted()                      how many warps keep it busy reserve<T>(slot, count)
//   memory, kept until more is asked for; Result<T*> clear, write, read                  memory of
//   the device; read() waits
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "base/result.h"
#include "fractal/cuda/domain_stages-inl.h"
#include "fractal/cuda/paper_stages-inl.h"
#include "fractal/device_search.h"

namespace tessera::fractal::device {

enum class Slot : uint8_t {
  kImage,
  kHalf,
  kMeans,
  kRanges,
  kDomains,
  kRowSums,
  kJoinedRows,
  kRangeSums,
  kDomainSums,
  kStats,
  kRangeWords,
  kDomainWords,
  kBests,
  kPartDots,
  kDots,
  kMatches,
  kRangeFacts,
  kNearFacts,
  kNearWords,
  kNearScores,
  kNearPlaces,
  kFarFacts,
  kFarWords,
  kFarScores,
  kFarPlaces,
  kCandidates,
  kCount
};

struct DeviceImage {
  PlaneView<uint8_t> full;
  PlaneView<uint16_t> half;
};

template <class Machine>
Result<DeviceImage> take_image(Machine& machine, const Plane<uint8_t>& image) {
  TESSERA_ASSIGN_OR_RETURN(uint8_t * full,
                           machine.template reserve<uint8_t>(Slot::kImage, image.samples.size()));
  const uint32_t width = image.width / 2, height = image.height / 2;
  TESSERA_ASSIGN_OR_RETURN(uint16_t * half,
                           machine.template reserve<uint16_t>(Slot::kHalf, size_t{width} * height));
  machine.write(image.samples.data(), full, image.samples.size());
  const DeviceImage taken = {{full, image.width, image.height}, {half, width, height}};
  machine.run(width * height, HalveImage{taken.full, half});
  return taken;
}

// Adds up the rows of blocks, then the blocks.
template <class Machine, typename T>
void sum_blocks(Machine& machine, const PlaneView<T>& plane, const BlockPosition* blocks,
                uint32_t count, const PaperWork& work, BlockSums* sums, DomainStats* stats) {
  machine.run(count << work.log2_side, SumRows<T>{plane, blocks, work.log2_side, work.row_sums});
  constexpr uint32_t kRun = 32;
  const uint32_t side = 1u << work.log2_side;
  if (side <= kRun) {
    machine.run(count, SumBlocks{work.row_sums, side, work.log2_side, sums, stats});
    return;
  }
  machine.run(count * (side / kRun), JoinRows{work.row_sums, kRun, work.joined_rows});
  machine.run(count, SumBlocks{work.joined_rows, side / kRun, work.log2_side, sums, stats});
}

template <class Machine>
class PaperDriver {
 public:
  PaperDriver(Machine& machine, const DeviceImage& image) : machine_(machine) {
    work_.image = image.full;
    work_.half = image.half;
  }

  Status match(const DeviceBlocks& blocks, std::span<BlockMatch> matches) {
    work_.log2_side = static_cast<uint32_t>(std::countr_zero(blocks.side));
    work_.rotation_step = blocks.rotations == RotationSet::kAll ? 1 : 2;
    work_.domain_count = static_cast<uint32_t>(blocks.domains.size());
    const size_t at_once = std::min(ranges_at_once(), blocks.ranges.size());
    TESSERA_RETURN_IF_ERROR(reserve(at_once));
    work_.ranges = ranges_;
    work_.domains = domains_;
    machine_.write(blocks.domains.data(), domains_, blocks.domains.size_bytes());
    sum_blocks(machine_, work_.half, domains_, work_.domain_count, work_, work_.domain_sums,
               work_.stats);
    machine_.run(static_cast<uint32_t>(column_words(work_.groups(), work_.steps())),
                 PackDomains{work_});
    for (size_t first = 0; first < blocks.ranges.size(); first += at_once) {
      const size_t count = std::min(at_once, blocks.ranges.size() - first);
      TESSERA_RETURN_IF_ERROR(
          match_part(blocks.ranges.subspan(first, count), matches.subspan(first, count)));
    }
    return {};
  }

 private:
  // So that words and sums take some hundred megabytes at most.
  size_t ranges_at_once() const {
    const size_t by_samples = (size_t{1} << 28) >> (2 * work_.log2_side);
    const size_t by_dots = (size_t{1} << 26) / work_.chunks() / work_.groups() / kTurnedPerTile;
    const size_t most = is_large() ? std::min(by_samples, by_dots) : by_samples;
    return std::clamp<size_t>(most / kTileRows * kTileRows, kTileRows, size_t{1} << 20);
  }
  bool is_large() const { return work_.steps() > kMaxStepsOfSums; }

  template <class T>
  Status take(Slot slot, size_t count, T*& pointer) {
    TESSERA_ASSIGN_OR_RETURN(pointer, machine_.template reserve<T>(slot, count));
    return {};
  }

  Status reserve(size_t most_ranges) {
    work_.range_count = static_cast<uint32_t>(most_ranges);
    const size_t side = size_t{1} << work_.log2_side;
    const size_t domains = work_.domain_count;
    work_.splits = std::clamp(machine_.warps_wanted() / work_.tiles(), 1u, work_.groups());
    const size_t products = size_t{work_.tiles()} * work_.groups() * work_.chunks();
    TESSERA_RETURN_IF_ERROR(take(Slot::kRanges, most_ranges, ranges_));
    TESSERA_RETURN_IF_ERROR(take(Slot::kDomains, domains, domains_));
    TESSERA_RETURN_IF_ERROR(
        take(Slot::kRowSums, std::max(most_ranges, domains) * side, work_.row_sums));
    TESSERA_RETURN_IF_ERROR(
        take(Slot::kJoinedRows, std::max(most_ranges, domains) * side / 4, work_.joined_rows));
    TESSERA_RETURN_IF_ERROR(take(Slot::kRangeSums, most_ranges, work_.range_sums));
    TESSERA_RETURN_IF_ERROR(take(Slot::kDomainSums, domains, work_.domain_sums));
    TESSERA_RETURN_IF_ERROR(take(Slot::kStats, domains, work_.stats));
    TESSERA_RETURN_IF_ERROR(
        take(Slot::kRangeWords, row_words(work_.tiles(), work_.steps()) / 4, work_.range_words));
    TESSERA_RETURN_IF_ERROR(take(
        Slot::kDomainWords, column_words(work_.groups(), work_.steps()) / 4, work_.domain_words));
    TESSERA_RETURN_IF_ERROR(take(Slot::kMatches, most_ranges, work_.matches));
    if (is_large()) {
      TESSERA_RETURN_IF_ERROR(
          take(Slot::kPartDots, products * kTileRows * kTurnedPerTile, work_.part_dots));
      return take(Slot::kDots, most_ranges * domains * kRotationCount, work_.dots);
    }
    return take(Slot::kBests, size_t{work_.splits} * work_.tiles() * kRowSlots * kLanes,
                work_.bests);
  }

  Status match_part(std::span<const BlockPosition> ranges, std::span<BlockMatch> matches) {
    work_.range_count = static_cast<uint32_t>(ranges.size());
    machine_.write(ranges.data(), ranges_, ranges.size_bytes());
    sum_blocks(machine_, work_.image, ranges_, work_.range_count, work_, work_.range_sums,
               static_cast<DomainStats*>(nullptr));
    machine_.run(static_cast<uint32_t>(row_words(work_.tiles(), work_.steps())), PackRanges{work_});
    if (is_large()) {
      machine_.run_tiles(work_.chunks() * work_.groups() * work_.tiles(), 0, MultiplyChunks{work_});
      machine_.run(work_.range_count * work_.domain_count * kRotationCount, AddChunks{work_});
      machine_.run(work_.range_count, ScoreDots{work_});
    } else {
      machine_.run_tiles(work_.splits * work_.tiles(), 0, MatchTiles{work_});
      machine_.run(work_.range_count, FinishMatches{work_});
    }
    return machine_.read(work_.matches, matches.data(), matches.size_bytes());
  }

  Machine& machine_;
  PaperWork work_ = {};
  BlockPosition* ranges_ = nullptr;
  BlockPosition* domains_ = nullptr;
};

template <class Machine>
class DomainDriver {
 public:
  DomainDriver(Machine& machine, const DeviceImage& image) : machine_(machine) {
    work_.image = image.full;
    work_.half = image.half;
  }

  Status find(uint32_t log2_side, uint32_t first_row, uint32_t end_row,
              std::span<BlockCandidates> found) {
    work_.log2_side = log2_side;
    work_.first_row = first_row;
    work_.block_rows = end_row - first_row;
    work_.field = domain_field(work_.half.width, work_.half.height, 1u << log2_side);
    if (!work_.field.usable() || work_.block_rows == 0) {
      std::fill(found.begin(), found.end(), BlockCandidates());
      return {};
    }
    TESSERA_RETURN_IF_ERROR(make_means());
    TESSERA_RETURN_IF_ERROR(make_ranges());
    TESSERA_RETURN_IF_ERROR(make_pool(1, 0, kFirstCoarseRing - 1, kNearSlots, work_.near));
    TESSERA_RETURN_IF_ERROR(make_pool(2, kFirstCoarseRing, kRingCount - 1, kFarSlots, work_.far));
    search(work_.near);
    search(work_.far);
    const uint32_t blocks = work_.across() * work_.block_rows;
    TESSERA_ASSIGN_OR_RETURN(work_.candidates, machine_.template reserve<DomainCandidate>(
                                                   Slot::kCandidates, size_t{blocks} * kRingCount));
    machine_.run(blocks * kRingCount, FinishCandidates{work_});
    static_assert(sizeof(BlockCandidates) == kRingCount * sizeof(DomainCandidate));
    return machine_.read(work_.candidates, found.data(), found.size_bytes());
  }

 private:
  struct PoolSlots {
    Slot facts, words, scores, places;
  };
  static constexpr PoolSlots kNearSlots = {Slot::kNearFacts, Slot::kNearWords, Slot::kNearScores,
                                           Slot::kNearPlaces};
  static constexpr PoolSlots kFarSlots = {Slot::kFarFacts, Slot::kFarWords, Slot::kFarScores,
                                          Slot::kFarPlaces};

  Status make_means() {
    work_.means = work_.half;
    const uint32_t factor = shrink_factor(work_.log2_side);
    if (factor > 1) {
      const size_t count = size_t{work_.half.width} * work_.half.height;
      TESSERA_ASSIGN_OR_RETURN(uint16_t * means,
                               machine_.template reserve<uint16_t>(Slot::kMeans, count));
      machine_.clear(means, count * sizeof *means);
      machine_.run(static_cast<uint32_t>(count), BoxMeans{work_.half, factor, means});
      work_.means.samples = means;
    }
    return {};
  }

  Status make_ranges() {
    const uint32_t blocks = work_.across() * work_.block_rows;
    const size_t words = row_words(work_.tiles(), work_.steps());
    TESSERA_ASSIGN_OR_RETURN(work_.ranges,
                             machine_.template reserve<RangeFacts>(Slot::kRangeFacts, blocks));
    TESSERA_ASSIGN_OR_RETURN(work_.range_words,
                             machine_.template reserve<FourWords>(Slot::kRangeWords, words / 4));
    machine_.run(blocks, FillRangeFacts{work_});
    machine_.run(static_cast<uint32_t>(words), PackBlocks{work_});
    return {};
  }

  Status make_pool(uint32_t stride, uint32_t min_ring, uint32_t max_ring, const PoolSlots& slots,
                   PoolWork& pool) {
    pool.stride = stride;
    pool.columns = static_cast<uint32_t>(work_.field.max_x) / stride + 1;
    pool.rows = static_cast<uint32_t>(work_.field.max_y) / stride + 1;
    pool.groups_across = (pool.columns + kPoolDomainsPerTile - 1) / kPoolDomainsPerTile;
    pool.min_ring = min_ring;
    pool.max_ring = max_ring;
    const uint32_t padded = pool.groups() * kPoolDomainsPerTile;
    const size_t words = column_words(pool.groups(), work_.steps());
    pool.splits = std::clamp(machine_.warps_wanted() / work_.tiles(), 1u, pool.rows);
    const size_t scores = size_t{pool.splits} * work_.tiles() * pool.rings() * kRowSlots * kLanes;
    TESSERA_ASSIGN_OR_RETURN(pool.facts,
                             machine_.template reserve<DomainFacts>(slots.facts, padded));
    TESSERA_ASSIGN_OR_RETURN(pool.words,
                             machine_.template reserve<FourWords>(slots.words, words / 4));
    TESSERA_ASSIGN_OR_RETURN(pool.scores, machine_.template reserve<float>(slots.scores, scores));
    TESSERA_ASSIGN_OR_RETURN(pool.places,
                             machine_.template reserve<uint32_t>(slots.places, scores));
    machine_.run(padded, FillDomainFacts{work_, pool});
    machine_.run(static_cast<uint32_t>(words), PackPool{work_, pool});
    return {};
  }

  void search(const PoolWork& pool) {
    const uint32_t items = pool.splits * work_.tiles();
    if (work_.steps() == 1) {
      machine_.run_tiles(items, SearchPool<1>::shared_floats(pool), SearchPool<1>{work_, pool});
    } else {
      machine_.run_tiles(items, SearchPool<4>::shared_floats(pool), SearchPool<4>{work_, pool});
    }
  }

  Machine& machine_;
  DomainWork work_ = {};
};

}  // namespace tessera::fractal::device
