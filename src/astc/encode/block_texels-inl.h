// Texels of the chunk's blocks into lanes, one block per lane.
#if defined(TESSERA_ASTC_BLOCK_TEXELS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_BLOCK_TEXELS_INL_H_
#undef TESSERA_ASTC_BLOCK_TEXELS_INL_H_
#else
#define TESSERA_ASTC_BLOCK_TEXELS_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "astc/encode/chunk.h"
#include "astc/encode/decode_rounding.h"
#include "astc/format/block_size.h"
#include "spmd/lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

namespace lanes = tessera::TESSERA_TARGET;
using lanes::all_lanes;
using lanes::all_lanes_f32;
using lanes::F32;
using lanes::I32;
using lanes::LaneMask;

// The block size of the kernels: any, or the one that they are compiled for, so that loops over
// texels have a known length. Arrays of texels in lanes have kLaneTexels.
#ifdef TESSERA_KERNEL_WIDTH
struct KernelSize {
  static constexpr uint32_t width = TESSERA_KERNEL_WIDTH;
  static constexpr uint32_t height = TESSERA_KERNEL_HEIGHT;

  // NOLINTNEXTLINE(google-explicit-constructor): stands for it
  constexpr KernelSize(BlockSize /*the same*/) {}
  static constexpr uint32_t texel_count() { return width * height; }
};
inline constexpr bool kHasFixedSize = true;
inline constexpr unsigned kLaneTexels = KernelSize::texel_count();
#else
using KernelSize = BlockSize;
inline constexpr bool kHasFixedSize = false;
inline constexpr unsigned kLaneTexels = kMaxTexels2d;
#endif

// Truths about all texels of a block.
struct BlockTraits {
  LaneMask grey, opaque;
};

// Texels of a format in lanes: Value is one texel of each lane's block.
template <class Texels>
struct LaneTexels;

template <>
struct LaneTexels<Rgba8Texels> {
  using Value = I32;

  // Four texels of a row from each of lane_count() pieces that lie one behind the other.
  static TESSERA_INLINE void load_columns(const uint32_t* pieces, Value columns[4]) {
    lanes::U8x4 bytes[4];
    lanes::load_block_row(pieces, bytes);
    for (unsigned k = 0; k < 4; ++k) {
      columns[k] = lanes::as_i32(bytes[k]);
    }
  }

  // A channel as the number that errors are measured in: 0…255.
  static TESSERA_INLINE F32 channel(Value texel, unsigned i) {
    return lanes::to_f32(lanes::shift_right_logical(texel, static_cast<int>(8 * i)) &
                         all_lanes(0xFF));
  }

  // All four of them.
  static TESSERA_INLINE void channels(Value texel, F32 result[4]) {
    const I32 low_byte = all_lanes(0xFF);
    result[0] = lanes::to_f32(texel & low_byte);
    result[1] = lanes::to_f32(lanes::shift_right_logical<8>(texel) & low_byte);
    result[2] = lanes::to_f32(lanes::shift_right_logical<16>(texel) & low_byte);
    result[3] = lanes::to_f32(lanes::shift_right_logical<24>(texel));
  }

  // What the decoder makes of a channel's 16-bit value times 64, in the scale of channel(). All
  // numbers are whole and below 2^24, so floats hold them exactly.
  static TESSERA_INLINE F32 decoded(F32 sum, const DecodeRounding& rounding) {
    const F32 whole = lanes::to_f32(lanes::truncate_to_i32(sum * all_lanes_f32(1.0F / 64)));
    const F32 wide = lanes::float_of_bits(lanes::float_bits(whole) & all_lanes(rounding.kept_bits));
    return lanes::to_f32(lanes::truncate_to_i32(wide * all_lanes_f32(rounding.narrow) +
                                                all_lanes_f32(rounding.rounding)));
  }

  // Gathers the traits, texel by texel.
  class Traits {
   public:
    TESSERA_INLINE Traits() : common_(all_lanes(-1)), colorfulness_(all_lanes(0)) {}

    TESSERA_INLINE void add(Value texel) {
      common_ = common_ & texel;
      colorfulness_ = colorfulness_ | (texel ^ lanes::shift_right_logical<8>(texel));
    }
    TESSERA_INLINE BlockTraits traits() const {
      return {(colorfulness_ & all_lanes(0xFFFF)) == all_lanes(0),
              lanes::shift_right_logical<24>(common_) == all_lanes(0xFF)};
    }

   private:
    I32 common_;  // bits set in every texel
    I32 colorfulness_;
  };
};

// Calls work(t, value) once for each texel t, with that texel of the lanes' blocks. Four texels of
// a row at a time are copied side by side and transposed: half the time of gathering each texel.
// Blocks of 2D are at least four texels wide.
template <class Texels, class Work>
TESSERA_INLINE void for_texels(const TexelChunk<Texels>& chunk, KernelSize size,
                               const int32_t* blocks, const Work& work) {
  using Stored = typename Texels::Stored;
  constexpr unsigned kPiece = 4;
  TESSERA_ALIGN Stored pieces[kPiece * lanes::kMaxLaneCount];
  for (unsigned y = 0; y < size.height; ++y) {
    const Stored* const row = chunk.row(y);
    for (unsigned x = 0; x < size.width; x += kPiece) {
      // The last piece may overlap the one before it.
      const unsigned start = std::min(x, size.width - kPiece);
      for (size_t lane = 0; lane < lanes::lane_count(); ++lane) {
        std::memcpy(pieces + kPiece * lane,
                    row + static_cast<size_t>(blocks[lane]) * size.width + start,
                    kPiece * sizeof(Stored));
      }
      typename LaneTexels<Texels>::Value columns[kPiece];
      LaneTexels<Texels>::load_columns(pieces, columns);
      for (unsigned k = x - start; k < kPiece; ++k) {
        work(y * size.width + start + k, columns[k]);
      }
    }
  }
}

// The same for blocks side by side, from `first` on.
template <class Texels, class Work>
TESSERA_INLINE void for_texels_from(const TexelChunk<Texels>& chunk, KernelSize size, size_t first,
                                    const Work& work) {
  if (size.width != 4) {
    TESSERA_ALIGN int32_t blocks[lanes::kMaxLaneCount];
    lanes::store(lanes::lane_numbers() + all_lanes(static_cast<int32_t>(first)), blocks);
    for_texels(chunk, size, blocks, work);
    return;
  }
  for (unsigned y = 0; y < size.height; ++y) {
    typename LaneTexels<Texels>::Value columns[4];
    LaneTexels<Texels>::load_columns(chunk.row(y) + first * 4, columns);
    for (unsigned x = 0; x < 4; ++x) {
      work(y * 4 + x, columns[x]);
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_BLOCK_TEXELS_INL_H_
