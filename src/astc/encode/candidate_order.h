// The block modes that blocks use most, learned from pictures, for each group of families.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "astc/encode/families.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

// Families of one group leave the same room for weights, and lose the same by coarse ones.
struct ModeGroup {
  uint8_t partitions = 1;
  bool dual_plane = false;
  uint8_t color_values = 0;      // stored, of all partitions together
  uint8_t decoded_channels = 0;  // 3 or 4

  constexpr bool operator==(const ModeGroup&) const = default;
};

// Where a family mixes ways of storing, the group of blocks that store all partitions in the
// reduced way, which leave the most room.
constexpr ModeGroup mode_group(const Family& family) {
  Family whole = family;
  if (family.mixes_modes()) {
    whole.saved_pairs =
        static_cast<uint8_t>(static_cast<unsigned>(family.reduced_storage()) * family.partitions);
  }
  return {whole.partitions, whole.dual_plane, static_cast<uint8_t>(whole.color_values()),
          static_cast<uint8_t>(decoded_channels(family.color_class))};
}

inline constexpr size_t kModeGroupCount = 37;

// Position in the list of groups, which all legal families have.
size_t mode_group_index(const ModeGroup& group);

// The orders of a 2D block size's modes. A list is unpacked when it is asked for.
class ModeOrders {
 public:
  explicit ModeOrders(BlockSize size);

  // Mode bits, the most used first; modes that are not in the list are used less. `modes` are the
  // block size's distinct_mode_bits() with the group's number of planes.
  const std::vector<uint16_t>& of_group(size_t group_index, std::span<const uint16_t> modes);

 private:
  size_t first_list_;
  std::array<std::vector<uint16_t>, kModeGroupCount> orders_;
};

}  // namespace tessera::astc
