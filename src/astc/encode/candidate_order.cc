// Unpacks the orders of block modes, which are stored as differences from each other.
#include "astc/encode/candidate_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "astc/encode/candidate_order_table.h"
#include "astc/format/block_mode.h"

namespace tessera::astc {
namespace {

// Takes the modes of list `number` out of `left`, the reference followed by all others.
std::vector<uint16_t> take_places(size_t number, std::vector<uint16_t> left) {
  const auto* byte = kPlaces.data() +
                     std::accumulate(kByteCounts.begin(), kByteCounts.begin() + number, size_t{0});
  const uint8_t* const end = byte + kByteCounts[number];
  std::vector<uint16_t> order;
  while (byte < end) {
    size_t place = 0;
    for (; *byte == 255; ++byte) {
      place += 255;
    }
    place += *byte++;
    order.push_back(left[place]);
    left.erase(left.begin() + static_cast<ptrdiff_t>(place));
  }
  return order;
}

}  // namespace

size_t mode_group_index(const ModeGroup& group) {
  return static_cast<size_t>(std::find(kGroups.begin(), kGroups.end(), group) - kGroups.begin());
}

ModeOrders::ModeOrders(BlockSize size)
    : first_list_(size_t{block_size_index(size).value_or(0)} * kModeGroupCount) {}

const std::vector<uint16_t>& ModeOrders::of_group(size_t group_index,
                                                  std::span<const uint16_t> modes) {
  std::vector<uint16_t>& order = orders_[group_index];
  if (!order.empty()) {
    return order;
  }
  const size_t list = first_list_ + group_index;
  // The reference, which has as many planes, and what it does not name.
  std::vector<uint16_t> left;
  std::array<bool, kBlockModeCount> is_named = {};
  if (const size_t groups_before = kReferences[list]; groups_before > 0) {
    left = of_group(group_index - groups_before, modes);
    for (const uint16_t mode : left) {
      is_named[mode] = true;
    }
  }
  for (const uint16_t mode : modes) {
    if (!is_named[mode]) {
      left.push_back(mode);
    }
  }
  return order = take_places(list, std::move(left));
}

}  // namespace tessera::astc
