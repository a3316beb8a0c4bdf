// Packs and unpacks blocks of one colour.
#include "astc/format/void_extent.h"

namespace tessera::astc {
namespace {

struct ExtentLayout {
  unsigned first_bit;
  unsigned coordinate_bits;
  unsigned axes;

  constexpr uint64_t all_ones() const { return low_bits_mask(coordinate_bits); }
  constexpr unsigned low_bit(unsigned axis) const { return first_bit + 2 * axis * coordinate_bits; }
};

constexpr ExtentLayout kLayout2d = {12, 13, 2};
constexpr ExtentLayout kLayout3d = {10, 9, 3};
constexpr unsigned kHdrBit = 9;
constexpr unsigned kReservedBits2d = 10;  // two, both ones

}  // namespace

std::optional<VoidExtent> unpack_void_extent(const Block128& block, bool is_3d) {
  if (!is_3d && block.bits(kReservedBits2d, 2) != 3) {
    return std::nullopt;
  }
  const ExtentLayout& layout = is_3d ? kLayout3d : kLayout2d;
  VoidExtent result;
  result.is_hdr = block.bits(kHdrBit, 1) != 0;
  for (unsigned channel = 0; channel < 4; ++channel) {
    result.color[channel] = static_cast<uint16_t>(block.high >> (16 * channel));
  }
  if (block.low >> layout.first_bit == low_bits_mask(64 - layout.first_bit)) {
    return result;
  }
  result.has_extent = true;
  for (unsigned axis = 0; axis < layout.axes; ++axis) {
    const unsigned first = layout.low_bit(axis);
    const uint64_t low = block.bits(first, layout.coordinate_bits);
    const uint64_t high = block.bits(first + layout.coordinate_bits, layout.coordinate_bits);
    if (low >= high) {
      return std::nullopt;
    }
    result.extent[axis] = {static_cast<uint16_t>(low), static_cast<uint16_t>(high)};
  }
  return result;
}

std::optional<Block128> pack_void_extent(const VoidExtent& extent, bool is_3d) {
  Block128 block = constant_block(extent.color, extent.is_hdr);
  if (!extent.has_extent) {
    return block;
  }
  const ExtentLayout& layout = is_3d ? kLayout3d : kLayout2d;
  block.low &= low_bits_mask(layout.first_bit);
  for (unsigned axis = 0; axis < layout.axes; ++axis) {
    const VoidExtent::Interval& interval = extent.extent[axis];
    if (interval.low >= interval.high || interval.high > layout.all_ones()) {
      return std::nullopt;
    }
    block.put(layout.low_bit(axis), interval.low);
    block.put(layout.low_bit(axis) + layout.coordinate_bits, interval.high);
  }
  return block;
}

}  // namespace tessera::astc
