// All tables that the encoder's stages read for one block size, in one flat piece of memory that
// can be copied to a device as it is (flat_memory.h). It holds what the presets in use need, and no
// more: the candidates of families that are ranked, the patterns of partition counts that are
// tried.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "astc/encode/candidates.h"
#include "astc/encode/color_codes.h"
#include "astc/encode/digit_codes.h"
#include "astc/encode/families.h"
#include "astc/encode/flat_memory.h"
#include "astc/encode/patterns.h"
#include "astc/encode/presets.h"
#include "astc/encode/weight_codes.h"
#include "astc/encode/weight_grid.h"
#include "astc/encode/weight_levels.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

// What settings ask of the tables.
struct TableNeeds {
  uint16_t one_plane_modes = 0;  // candidates of families with one partition and one plane
  uint16_t other_modes = 0;      // and of the others
  bool two_planes = false;       // with one partition
  bool reduced_storage = false;  // colours stored as a scale or as grey
  bool mixed_modes = false;      // partitions of a block that are stored in different ways
  // Of 2, 3 and 4; plain arrays, as std::array has no <=> in libc++ before version 16.
  bool partitions[3] = {};
  bool two_plane_partitions[3] = {};  // the same with two planes
  bool nearest_patterns = false;      // patterns by a table of groups
  bool hdr = false;

  // Of settings without those that hard blocks go on to, which get tables of their own when the
  // first such block turns up.
  static TableNeeds of(const EncodeSettings& settings, BlockSize size);

  // How many candidates of a family; 0: the family is not used.
  unsigned candidates(const Family& family) const;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's own 0 for a pointer
  auto operator<=>(const TableNeeds&) const = default;
};

// A matrix for each axis of a block.
struct AxisMatrices {
  FlatArray<float> across;
  FlatArray<float> down;
  FlatArray<float> deep;  // empty in 2D
};

struct EncodeTables {
  // Candidates of a group of families that share a grid: blocks of all of them are fitted together.
  struct Batch {
    uint16_t grid;
    uint16_t first;  // number
    uint16_t end;
  };

  BlockSize size;
  TableNeeds needs;

  // What code for devices cannot read from constants.
  std::array<Family, kFamilyCount> families;
  std::array<uint8_t, kFamilyNumbers> family_indices;  // by family_number()
  std::array<RangeInfo, kRangeCount> ranges;

  FlatArray<WeightGrid> grids;
  // Rows are frequencies (one more than the row before), columns are positions.
  AxisMatrices cosines;
  // How much of a frequency's energy grids of so many points keep, see kept_shares(): rows are grid
  // edges from 1 on, columns are frequencies.
  AxisMatrices kept;
  std::array<WeightLevels, kWeightRangeCount> weight_levels;
  std::array<WeightCodes, kWeightRangeCount> weight_codes;
  ColorCodeTables colors;
  DigitCodeTables digits;
  FlatArray<int32_t> patterns_nearest_to_groups;  // see patterns.h

  constexpr unsigned family_index(const Family& family) const {
    return family_indices[family_number(family)];
  }
  constexpr const RangeInfo& range_info(IntegerRange range) const {
    return ranges[range_index(range)];
  }

  // Candidates of a family, the most useful first.
  constexpr std::span<const Candidate> candidates(unsigned family) const {
    return {all_candidates.data() + first_candidate[family],
            all_candidates.data() + first_candidate[family + 1]};
  }
  // Candidates of all families are numbered through, one group of families after another, in each
  // group those of one grid after those of another, and of a grid family by family.
  constexpr unsigned number(unsigned family, unsigned candidate) const {
    return number_of_candidate[first_candidate[family] + candidate];
  }
  constexpr const Candidate& candidate_of_number(unsigned number) const {
    return all_candidates[candidate_at_number[number]];
  }
  constexpr std::span<const Batch> batches(unsigned group) const {
    return {all_batches.data() + first_batch[group], all_batches.data() + first_batch[group + 1]};
  }
  // Of 2 to 4 partitions.
  constexpr const PatternTable& patterns(unsigned partitions) const {
    return pattern_tables[partitions - 2];
  }

  std::array<uint16_t, kFamilyCount + 1> first_candidate;    // of a family
  std::array<uint16_t, kFamilyGroupCount + 1> first_number;  // of a group
  std::array<uint16_t, kFamilyGroupCount + 1> first_batch;   // of a group
  FlatArray<Candidate> all_candidates;      // family by family, each in the order of its use
  FlatArray<uint16_t> number_of_candidate;  // by the index in all_candidates
  FlatArray<uint16_t> candidate_at_number;  // the reverse
  FlatArray<Batch> all_batches;             // group by group
  std::array<PatternTable, 3> pattern_tables;
};

Flat<EncodeTables> make_encode_tables(BlockSize size, const TableNeeds& needs);

// The same, made once in the process and kept; safe to ask for from any thread.
const Flat<EncodeTables>& flat_encode_tables(BlockSize size, const TableNeeds& needs);
inline const EncodeTables& encode_tables(BlockSize size, const TableNeeds& needs) {
  return flat_encode_tables(size, needs).root();
}

}  // namespace tessera::astc
