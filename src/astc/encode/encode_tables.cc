// Puts the encoder's tables together, and keeps those that have been made.
#include "astc/encode/encode_tables.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "astc/encode/candidate_lists.h"
#include "astc/encode/cosine_rows.h"

namespace tessera::astc {
namespace {

// Above what any block size needs with all settings together, which a test goes through. Memory
// that is not written to costs nothing.
constexpr size_t kMaxTableBytes = size_t{4} << 20;

// What the tables of one block size have in common, whatever they are needed for: made once.
struct CommonParts {
  explicit CommonParts(BlockSize size) : lists(size) {}

  CandidateLists lists;
  std::array<const PatternTable*, 3> patterns{};  // of 2, 3 and 4 partitions, in some tables
  const ColorCodeTables* colors = nullptr;        // in some tables
};

class TableMaker {
 public:
  TableMaker(BlockSize size, const TableNeeds& needs, CommonParts& common)
      : size_(size),
        common_(common),
        writer_(kMaxTableBytes),
        tables_(writer_.place_root<EncodeTables>()) {
    tables_.size = size;
    tables_.needs = needs;
    std::copy_n(kFamilies.family.begin(), kFamilyCount, tables_.families.begin());
    tables_.family_indices = kFamilies.index;
    tables_.ranges = kRangeInfos;
  }

  Flat<EncodeTables> make() {
    place_candidates();
    place_edge(size_.width, tables_.cosines.across, tables_.kept.across);
    place_edge(size_.height, tables_.cosines.down, tables_.kept.down);
    if (size_.is_3d()) {
      place_edge(size_.depth, tables_.cosines.deep, tables_.kept.deep);
    }
    tables_.weight_levels = kWeightLevels;
    for (unsigned i = 0; i < kWeightRangeCount; ++i) {
      tables_.weight_codes[i] = make_weight_codes(range_from_index(i));
    }
    tables_.colors.make(common_.colors, tables_.needs.hdr, writer_);
    tables_.digits.make(writer_);
    place_patterns();
    if (tables_.needs.nearest_patterns) {
      make_patterns_nearest_to_groups(tables_.patterns(2), writer_,
                                      tables_.patterns_nearest_to_groups);
    }
    return writer_.finish<EncodeTables>();
  }

 private:
  void place_edge(unsigned block_edge, FlatArray<float>& cosines, FlatArray<float>& kept) {
    const std::vector<float> rows = cosine_rows(block_edge);
    writer_.place(cosines, std::span(rows));
    writer_.place(kept, std::span<const float>(kept_shares(block_edge, rows)));
  }

  void place_patterns() {
    for (unsigned i = 0; i < tables_.pattern_tables.size(); ++i) {
      if (tables_.needs.partitions[i] && common_.patterns[i] != nullptr) {
        tables_.pattern_tables[i].copy(*common_.patterns[i], writer_);
      } else if (tables_.needs.partitions[i]) {
        tables_.pattern_tables[i].make(size_, i + 2, writer_);
      }
    }
  }

  void place_candidates() {
    std::vector<Candidate> all;
    all.reserve(kFamilyCount * kMaxCandidates);  // memory that is not written to costs nothing
    for (unsigned family = 0; family < kFamilyCount; ++family) {
      common_.lists.append_candidates(family_of_index(family),
                                      tables_.needs.candidates(family_of_index(family)), all);
      tables_.first_candidate[family + 1] = static_cast<uint16_t>(all.size());
    }
    place_grids(all);
    writer_.place(tables_.all_candidates, std::span<const Candidate>(all));
    number_candidates();
  }

  // The grids that candidates use, which get the new indices.
  void place_grids(std::vector<Candidate>& candidates) {
    std::vector<uint16_t> new_index(common_.lists.grid_count(), 0);
    for (const Candidate& candidate : candidates) {
      new_index[candidate.grid] = 1;
    }
    const auto used = static_cast<size_t>(std::count(new_index.begin(), new_index.end(), 1));
    const std::span<WeightGrid> grids = writer_.place(tables_.grids, used);
    WeightGridMaker maker(size_);
    uint16_t next = 0;
    for (size_t i = 0; i < new_index.size(); ++i) {
      if (new_index[i] != 0) {
        maker.make(common_.lists.grid_size(i), common_.lists.taps(i), writer_, grids[next]);
        new_index[i] = next++;
      }
    }
    for (Candidate& candidate : candidates) {
      candidate.grid = new_index[candidate.grid];
    }
  }

  void number_candidates() {
    const auto number_of =
        writer_.place(tables_.number_of_candidate, tables_.all_candidates.size());
    const auto at_number =
        writer_.place(tables_.candidate_at_number, tables_.all_candidates.size());
    std::vector<EncodeTables::Batch> batches;
    uint16_t number = 0;
    for (unsigned group = 0; group < kFamilyGroupCount; ++group) {
      number_group(group, number, batches, number_of, at_number);
      tables_.first_number[group + 1] = number;
      tables_.first_batch[group + 1] = static_cast<uint16_t>(batches.size());
    }
    writer_.place(tables_.all_batches, std::span<const EncodeTables::Batch>(batches));
  }

  // Sorts a group's candidates by grid, by counting; `number` is that of the first one, then of the
  // one behind them.
  void number_group(unsigned group, uint16_t& number, std::vector<EncodeTables::Batch>& batches,
                    std::span<uint16_t> number_of, std::span<uint16_t> at_number) const {
    const auto for_candidates = [&](const auto& work) {
      for (unsigned family = 0; family < kFamilyCount; ++family) {
        if (family_group(family_of_index(family)) == group) {
          for (uint16_t i = tables_.first_candidate[family];
               i < tables_.first_candidate[family + 1]; ++i) {
            work(i);
          }
        }
      }
    };
    std::vector<uint16_t> next(tables_.grids.size());  // number of a grid's next candidate
    for_candidates([&](uint16_t i) { ++next[tables_.all_candidates[i].grid]; });
    for (size_t grid = 0; grid < next.size(); ++grid) {
      const uint16_t count = std::exchange(next[grid], number);
      if (count > 0) {
        batches.push_back(
            {static_cast<uint16_t>(grid), number, static_cast<uint16_t>(number + count)});
      }
      number = static_cast<uint16_t>(number + count);
    }
    for_candidates([&](uint16_t i) {
      number_of[i] = next[tables_.all_candidates[i].grid]++;
      at_number[number_of[i]] = i;
    });
  }

  BlockSize size_;
  CommonParts& common_;
  FlatWriter writer_;
  EncodeTables& tables_;
};

// Tables are few: a block size and what presets need of it.
class TableCache {
 public:
  const Flat<EncodeTables>& get(BlockSize size, const TableNeeds& needs) {
    const unsigned index = block_size_index(size).value_or(0);
    Entry& entry = entry_of({index, needs});
    std::call_once(entry.once, [&] { make(size, needs, sizes_[index], entry.tables); });
    return entry.tables;
  }

 private:
  using Key = std::pair<unsigned, TableNeeds>;
  struct Entry {
    std::once_flag once;
    Flat<EncodeTables> tables;
  };

  struct OfSize {
    std::mutex mutex;
    std::optional<CommonParts> common;
  };

  static void make(BlockSize size, const TableNeeds& needs, OfSize& of_size,
                   Flat<EncodeTables>& tables) {
    const std::lock_guard lock(of_size.mutex);
    if (!of_size.common) {
      of_size.common.emplace(size);
    }
    tables = TableMaker(size, needs, *of_size.common).make();
    of_size.common->colors = &tables.root().colors;
    for (unsigned i = 0; i < tables.root().pattern_tables.size(); ++i) {
      if (needs.partitions[i]) {
        of_size.common->patterns[i] = &tables.root().pattern_tables[i];
      }
    }
  }

  Entry& entry_of(const Key& key) {
    const std::lock_guard lock(mutex_);
    return entries_[key];  // allocates only when the key is new
  }

  std::mutex mutex_;
  std::map<Key, Entry> entries_;
  std::array<OfSize, kBlockSizeCount> sizes_;
};

// Few different numbers of candidates, so that few different tables are made.
uint16_t rounded_up(uint16_t modes) {
  return std::bit_ceil(std::min<uint16_t>(modes, kMaxCandidates));
}

}  // namespace

TableNeeds TableNeeds::of(const EncodeSettings& settings, BlockSize size) {
  TableNeeds needs;
  needs.one_plane_modes = rounded_up(settings.one_plane_modes);
  needs.other_modes = rounded_up(settings.other_modes);
  needs.two_planes = settings.dual_plane;
  needs.reduced_storage = settings.base_scale;
  needs.mixed_modes = settings.base_scale && settings.mixed_modes;
  for (unsigned i = 0; i < 3; ++i) {
    needs.partitions[i] =
        settings.partition_search != PartitionSearch::kOff && settings.partitions[i].kept > 0;
    needs.two_plane_partitions[i] = needs.partitions[i] && settings.two_plane_patterns > 0;
  }
  needs.nearest_patterns = settings.partition_search == PartitionSearch::kTable &&
                           size == BlockSize{4, 4, 1} && needs.partitions[0];
  needs.hdr = settings.decode_mode == DecodeMode::kHdr;
  return needs;
}

unsigned TableNeeds::candidates(const Family& family) const {
  const bool is_single = family.partitions == 1;
  const auto count = is_single ? 0u : family.partitions - 2u;
  if (!is_single && !partitions[count]) {
    return 0;
  }
  // HDR has no way to store grey with alpha, nor alpha with less than two whole colours.
  if (hdr && has_alpha(family.color_class) &&
      (family.color_class != ColorClass::kRgba || family.saved_pairs > 0)) {
    return 0;
  }
  if (family.dual_plane) {
    const bool is_used = is_single ? two_planes : two_plane_partitions[count];
    const bool is_stored =
        family.saved_pairs == 0 || (reduced_storage && has_alpha(family.color_class));
    return is_used && is_stored &&
                   may_have_two_planes(stored_channels(family.color_class), family.partitions)
               ? other_modes
               : 0;
  }
  if ((family.saved_pairs > 0 && !reduced_storage) || (family.mixes_modes() && !mixed_modes)) {
    return 0;
  }
  return is_single ? one_plane_modes : other_modes;
}

Flat<EncodeTables> make_encode_tables(BlockSize size, const TableNeeds& needs) {
  CommonParts common(size);
  return TableMaker(size, needs, common).make();
}

const Flat<EncodeTables>& flat_encode_tables(BlockSize size, const TableNeeds& needs) {
  static TableCache cache;
  return cache.get(size, needs);
}

}  // namespace tessera::astc
