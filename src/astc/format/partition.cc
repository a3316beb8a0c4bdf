// Partition patterns by the standard's hash.
#include "astc/format/partition.h"

#include <algorithm>

#include "astc/format/per_block_size.h"

namespace tessera::astc {
namespace {

constexpr unsigned kSmallBlockTexels = 31;  // blocks with fewer get their pattern enlarged

uint32_t hash52(uint32_t p) {
  p ^= p >> 15;
  p -= p << 17;
  p += p << 7;
  p += p << 4;
  p ^= p >> 5;
  p += p << 16;
  p ^= p >> 7;
  p ^= p >> 3;
  p ^= p << 6;
  p ^= p >> 17;
  return p;
}

// A pattern compares four planes a·x + b·y + c·z + d (modulo 64) and takes the highest.
struct PartitionPlanes {
  struct Plane {
    uint32_t x;
    uint32_t y;
    uint32_t z;
    uint32_t offset;
  };
  std::array<Plane, kMaxPartitions> planes;
  unsigned partition_count;

  PartitionPlanes(unsigned count, unsigned seed) : partition_count(count) {
    const uint32_t full_seed = seed + (count - 1) * kPartitionSeedCount;
    const uint32_t random = hash52(full_seed);
    const unsigned shift_a = (full_seed & 2) != 0 ? 4 : 5;
    const unsigned shift_b = count == 3 ? 6 : 5;
    const unsigned shift_x = (full_seed & 1) != 0 ? shift_a : shift_b;
    const unsigned shift_y = (full_seed & 1) != 0 ? shift_b : shift_a;
    const unsigned shift_z = (full_seed & 0x10) != 0 ? shift_x : shift_y;
    // A factor is the square of four bits of the hash, shifted down.
    const auto factor = [random](unsigned first_bit, unsigned shift) {
      const uint32_t rotated =
          first_bit == 0 ? random : (random >> first_bit) | (random << (32 - first_bit));
      const uint32_t nibble = rotated & 0xF;
      return (nibble * nibble) >> shift;
    };
    planes[0] = {factor(0, shift_x), factor(4, shift_y), factor(26, shift_z), random >> 14};
    planes[1] = {factor(8, shift_x), factor(12, shift_y), factor(30, shift_z), random >> 10};
    planes[2] = {factor(16, shift_x), factor(20, shift_y), factor(18, shift_z), random >> 6};
    planes[3] = {factor(24, shift_x), factor(28, shift_y), factor(22, shift_z), random >> 2};
  }

  unsigned highest_at(unsigned x, unsigned y, unsigned z) const {
    unsigned best = 0;
    uint32_t best_height = 0;
    for (unsigned i = 0; i < partition_count; ++i) {
      const Plane& plane = planes[i];
      const uint32_t height = (plane.x * x + plane.y * y + plane.z * z + plane.offset) & 0x3F;
      if (i == 0 || height > best_height) {  // the first of equals wins
        best = i;
        best_height = height;
      }
    }
    return best;
  }
};

unsigned coordinate_scale(BlockSize size) {
  return size.texel_count() < kSmallBlockTexels ? 2 : 1;
}

}  // namespace

unsigned partition_of_texel(BlockSize size, unsigned partition_count, unsigned seed, unsigned x,
                            unsigned y, unsigned z) {
  if (partition_count == 1) {
    return 0;
  }
  const unsigned scale = coordinate_scale(size);
  return PartitionPlanes(partition_count, seed).highest_at(x * scale, y * scale, z * scale);
}

PatternDrawer::PatternDrawer(BlockSize size) : is_3d_(size.depth > 1) {
  const unsigned scale = coordinate_scale(size);
  for (unsigned t = 0; t < size.texel_count(); ++t) {
    x_[t] = static_cast<uint16_t>(scale * (t % size.width));
    y_[t] = static_cast<uint16_t>(scale * (t / size.width % size.height));
    z_[t] = static_cast<uint16_t>(scale * (t / size.width / size.height));
  }
}

// Plane after plane, so that the compiler can do many texels at once.
void PatternDrawer::draw(unsigned partition_count, unsigned seed,
                         std::span<uint8_t> pattern) const {
  const PartitionPlanes planes(partition_count, seed);
  std::array<uint8_t, kRoom> highest, drawn;
  const size_t end = (pattern.size() + kTogether - 1) / kTogether * kTogether;
  const auto add_plane = [&](uint8_t index, const auto& height_of) {
    for (size_t t = 0; t < end; ++t) {
      const auto height = static_cast<uint8_t>(height_of(t) & 0x3F);
      const bool is_higher = index == 0 || height > highest[t];  // the first of equals wins
      highest[t] = is_higher ? height : highest[t];
      drawn[t] = is_higher ? index : drawn[t];
    }
  };
  for (unsigned i = 0; i < partition_count; ++i) {
    const auto x = static_cast<uint16_t>(planes.planes[i].x);
    const auto y = static_cast<uint16_t>(planes.planes[i].y);
    const auto z = static_cast<uint16_t>(planes.planes[i].z);
    const auto offset = static_cast<uint16_t>(planes.planes[i].offset);
    const auto in_2d = [&](size_t t) { return x * x_[t] + y * y_[t] + offset; };
    if (is_3d_) {
      add_plane(static_cast<uint8_t>(i), [&](size_t t) { return in_2d(t) + z * z_[t]; });
    } else {
      add_plane(static_cast<uint8_t>(i), in_2d);
    }
  }
  std::copy_n(drawn.begin(), pattern.size(), pattern.begin());
}

PartitionTable::PartitionTable(BlockSize size, unsigned partition_count)
    : texel_count_(size.texel_count()) {
  patterns_.resize(size_t{kPartitionSeedCount} * texel_count_ + kPadding);
  const PatternDrawer drawer(size);
  for (unsigned seed = 0; seed < kPartitionSeedCount; ++seed) {
    const std::span<uint8_t> drawn(patterns_.data() + size_t{seed} * texel_count_, texel_count_);
    drawer.draw(partition_count, seed, drawn);
  }
}

const PartitionTable& partition_table(BlockSize size, unsigned partition_count) {
  struct Two : PartitionTable {
    explicit Two(BlockSize s) : PartitionTable(s, 2) {}
  };
  struct Three : PartitionTable {
    explicit Three(BlockSize s) : PartitionTable(s, 3) {}
  };
  struct Four : PartitionTable {
    explicit Four(BlockSize s) : PartitionTable(s, 4) {}
  };
  static PerBlockSize<Two> two;
  static PerBlockSize<Three> three;
  static PerBlockSize<Four> four;
  if (partition_count == 2) {
    return two.get(size);
  }
  return partition_count == 3 ? static_cast<const PartitionTable&>(three.get(size))
                              : four.get(size);
}

}  // namespace tessera::astc
