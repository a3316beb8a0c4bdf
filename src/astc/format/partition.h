// Partitions: the endpoint pair that each texel uses. A hash of a 10-bit seed draws the
// pattern, so 1,024 patterns exist for each partition count; many leave a partition empty or repeat
// another pattern with the partitions renamed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "astc/format/block_layout.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

// Partition of one texel, by the standard's function.
unsigned partition_of_texel(BlockSize size, unsigned partition_count, unsigned seed, unsigned x,
                            unsigned y, unsigned z);

// Draws whole patterns of a block size.
class PatternDrawer {
 public:
  explicit PatternDrawer(BlockSize size);

  // Writes the partition of each texel, x running fastest, then y, then z. `partition_count` is 2
  // to 4, `pattern` has room for all texels.
  void draw(unsigned partition_count, unsigned seed, std::span<uint8_t> pattern) const;

 private:
  // Texels that the compiler does at once; those behind the last one mean nothing.
  static constexpr size_t kTogether = 16;
  static constexpr size_t kRoom = (kMaxBlockTexels + kTogether - 1) / kTogether * kTogether;
  using PerTexel = std::array<uint16_t, kRoom>;

  PerTexel x_{}, y_{}, z_{};  // coordinates of texels, scaled
  bool is_3d_;
};

// All patterns of a block size with 2, 3 or 4 partitions.
class PartitionTable {
 public:
  PartitionTable(BlockSize size, unsigned partition_count);

  // Partition of each texel, x running fastest, then y, then z. kPadding bytes behind it may be
  // read.
  static constexpr size_t kPadding = 64;
  std::span<const uint8_t> pattern(unsigned seed) const {
    return {patterns_.data() + size_t{seed} * texel_count_, texel_count_};
  }

 private:
  unsigned texel_count_;
  std::vector<uint8_t> patterns_;
};

// Made at first use. `partition_count` is 2 to 4.
const PartitionTable& partition_table(BlockSize size, unsigned partition_count);

}  // namespace tessera::astc
