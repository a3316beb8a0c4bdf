// The last stage of the HDR decoder: half floats between endpoints. One lane is one texel.
//
// Include inside a file that is compiled once per target (spmd/for_each_target.h).
#if defined(TESSERA_ASTC_HDR_KERNEL_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_HDR_KERNEL_INL_H_
#undef TESSERA_ASTC_HDR_KERNEL_INL_H_
#else
#define TESSERA_ASTC_HDR_KERNEL_INL_H_
#endif

#include <cstdint>

#include "astc/decode/hdr_block.h"
#include "spmd/lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

namespace lanes = tessera::TESSERA_TARGET;
using lanes::I32;

// lns_to_half() of sample_conversion.h. Its three pieces are 3·m, 4·m − 512 and 5·m − 2048: the
// first one, and what the slope grows by from 512 and from 1536 on.
TESSERA_INLINE I32 halves_of_lns(I32 value) {
  const I32 zero = lanes::all_lanes(0);
  const I32 m = value & lanes::all_lanes(0x7FF);
  const I32 bent = m + m + m + lanes::max(m - lanes::all_lanes(512), zero) +
                   lanes::max(m - lanes::all_lanes(1536), zero);
  const I32 exponent = lanes::shift_right_logical<11>(value);
  const I32 half = lanes::shift_left<10>(exponent) + lanes::shift_right_logical<3>(bent);
  return lanes::min(half, lanes::all_lanes(0x7BFF));
}

// unorm16_to_half() of sample_conversion.h. A float has all 16 bits, and its exponent and highest
// ten bits of the mantissa are those of the half but for the exponents' offsets.
TESSERA_INLINE I32 halves_of_unorm16(I32 value) {
  const I32 bits = lanes::float_bits(lanes::to_f32(value));
  const I32 normal = lanes::shift_right_logical<13>(bits) - lanes::all_lanes(128 << 10);
  const I32 half = lanes::select(value < lanes::all_lanes(4), lanes::shift_left<8>(value), normal);
  return lanes::select(value == lanes::all_lanes(0xFFFF), lanes::all_lanes(0x3C00), half);
}

// A channel's halves of the texels with these weights, in these partitions where there are several.
TESSERA_INLINE I32 channel_halves(const HdrChannel& channel, const int32_t* weights,
                                  const int32_t* partitions) {
  const auto of_partition = [&](const std::array<int32_t, kMaxPartitions>& table) TESSERA_LAMBDA {
    return partitions == nullptr ? lanes::all_lanes(table[0])
                                 : lanes::gather(table.data(), lanes::load_i32(partitions));
  };
  const I32 sum =
      of_partition(channel.start) + of_partition(channel.slope) * lanes::load_i32(weights);
  const I32 value = lanes::shift_right_logical<6>(sum);
  if (!channel.has_ldr) {
    return halves_of_lns(value);
  }
  if (!channel.has_hdr) {
    return halves_of_unorm16(value);
  }
  return lanes::select(of_partition(channel.is_hdr) < lanes::all_lanes(0), halves_of_lns(value),
                       halves_of_unorm16(value));
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_HDR_KERNEL_INL_H_
