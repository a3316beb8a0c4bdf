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
#include "astc/encode/encoder_scope.h"
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
using lanes::LeftShift;

// Devices encode pictures of 2D alone. Their threads wait for memory most of the time, so that few
// and wide loads are worth more to them than few operations. (The tests compile this code for the
// host, too.)
#if defined(__CUDACC__) || defined(TESSERA_KERNEL_OF_DEVICE)
inline constexpr bool kForDevice = true;
#else
inline constexpr bool kForDevice = false;
#endif

// The block size of the kernels: any, or the one that they are compiled for, so that loops over
// texels have a known length. Arrays of texels in lanes have kLaneTexels.
#ifdef TESSERA_KERNEL_WIDTH
struct KernelSize {
  static constexpr uint32_t width = TESSERA_KERNEL_WIDTH;
  static constexpr uint32_t height = TESSERA_KERNEL_HEIGHT;
  static constexpr uint32_t depth = 1;

  // NOLINTNEXTLINE(google-explicit-constructor): stands for it
  constexpr KernelSize(BlockSize /*the same*/) {}
  constexpr KernelSize() = default;
  static constexpr bool is_3d() { return false; }
  static constexpr uint32_t row_count() { return height; }
  static constexpr uint32_t texel_count() { return width * height; }
};
inline constexpr bool kHasFixedSize = true;
inline constexpr unsigned kLaneTexels = KernelSize::texel_count();
#else
using KernelSize = BlockSize;
inline constexpr bool kHasFixedSize = false;
inline constexpr unsigned kLaneTexels = kForDevice ? kMaxTexels2d : kMaxTexels;
#endif
// Texels of which a thread has an array in memory are kept as bytes.
inline constexpr bool kPacksPlanes = kForDevice && kLaneTexels > 16;

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
  // The highest value of a channel.
  static constexpr float kMost = 255.0F;

  // Four texels of a row of lane_count() blocks that are four texels wide and lie side by side.
  static TESSERA_INLINE void load_neighbours(const uint32_t* row, Value columns[4]) {
    lanes::U8x4 bytes[4];
    lanes::load_block_row(row, bytes);
    set_columns(bytes, columns);
  }
  // The same of any blocks: those of lane i begin at row + blocks[i] · width.
  static TESSERA_INLINE void load_columns(const uint32_t* row, const int32_t* blocks, size_t width,
                                          Value columns[4]) {
    lanes::U8x4 bytes[4];
    lanes::load_row_of_blocks(row, blocks, width, bytes);
    set_columns(bytes, columns);
  }
  static TESSERA_INLINE void set_columns(const lanes::U8x4 bytes[4], Value columns[4]) {
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

  // What the decoder makes of a channel's 16-bit value, which it rounds down first, in the scale of
  // channel().
  static TESSERA_INLINE F32 decoded(F32 value, const DecodeRounding& rounding) {
    const F32 whole = lanes::truncate(value);
    const F32 wide = lanes::float_of_bits(lanes::float_bits(whole) & all_lanes(rounding.kept_bits));
    return lanes::truncate(wide * all_lanes_f32(rounding.narrow) +
                           all_lanes_f32(rounding.rounding));
  }

  // Gathers the traits, texel by texel.
  class Traits {
   public:
    TESSERA_INLINE Traits()
        : common_(all_lanes(-1)), any_(all_lanes(0)), colorfulness_(all_lanes(0)) {}

    TESSERA_INLINE void add(Value texel) {
      common_ = common_ & texel;
      any_ = any_ | texel;
      colorfulness_ = colorfulness_ | (texel ^ lanes::shift_right_logical<8>(texel));
    }
    // Opaque texels beside others whose alpha is one step less, as scaled pictures have them, are
    // an opaque block: to tell them apart takes bits that colours need more.
    TESSERA_INLINE BlockTraits traits() const {
      return {(colorfulness_ & all_lanes(0xFFFF)) == all_lanes(0),
              (lanes::shift_right_logical<25>(common_) == all_lanes(0x7F)) &
                  (lanes::shift_right_logical<24>(any_) == all_lanes(0xFF))};
    }
    // Opaque, but for such steps.
    TESSERA_INLINE LaneMask has_steps(const BlockTraits& traits) const {
      return traits.opaque & !(lanes::shift_right_logical<24>(common_) == all_lanes(0xFF));
    }

   private:
    I32 common_;  // bits set in every texel
    I32 any_;     // bits set in any
    I32 colorfulness_;
  };
};

template <>
struct LaneTexels<LnsTexels> {
  // Two channels of 16 bits each.
  struct Value {
    I32 red_green, blue_alpha;
  };
  // A 256th of 16-bit numbers: the same scale as that of 8-bit texels.
  static constexpr float kScale = 1.0F / 256;
  static constexpr float kMost = 65535 * kScale;

  static TESSERA_INLINE void load_neighbours(const uint64_t* row, Value columns[4]) {
    const auto* const words = reinterpret_cast<const int32_t*>(row);
    const I32 first = lanes::shift_left<3>(lanes::lane_numbers());
    for (int32_t k = 0; k < 4; ++k) {
      columns[k].red_green = lanes::gather(words, first + all_lanes(2 * k));
      columns[k].blue_alpha = lanes::gather(words, first + all_lanes(2 * k + 1));
    }
  }
  // Copied side by side first: half the time of gathering from the blocks.
  static TESSERA_INLINE void load_columns(const uint64_t* row, const int32_t* blocks, size_t width,
                                          Value columns[4]) {
    TESSERA_ALIGN uint64_t pieces[4 * lanes::kMaxLaneCount];
    for (size_t lane = 0; lane < lanes::lane_count(); ++lane) {
      std::memcpy(pieces + 4 * lane, row + static_cast<size_t>(blocks[lane]) * width,
                  4 * sizeof(uint64_t));
    }
    load_neighbours(pieces, columns);
  }

  static TESSERA_INLINE F32 channel(Value texel, unsigned i) {
    const I32 pair = i < 2 ? texel.red_green : texel.blue_alpha;
    const I32 value = i % 2 == 0 ? pair & all_lanes(0xFFFF) : lanes::shift_right_logical<16>(pair);
    return lanes::to_f32(value) * all_lanes_f32(kScale);
  }

  static TESSERA_INLINE void channels(Value texel, F32 result[4]) {
    for (unsigned i = 0; i < 4; ++i) {
      result[i] = channel(texel, i);
    }
  }

  // What the decoder turns into a half float, which keeps all that matters of it.
  static TESSERA_INLINE F32 decoded(F32 value, const DecodeRounding& /*rounding*/) {
    return lanes::truncate(value) * all_lanes_f32(kScale);
  }

  class Traits {
   public:
    TESSERA_INLINE Traits() : opaque_(lanes::every_lane(true)), colorfulness_(all_lanes(0)) {}

    TESSERA_INLINE void add(Value texel) {
      const I32 green = lanes::shift_right_logical<16>(texel.red_green);
      const I32 alpha = lanes::shift_right_logical<16>(texel.blue_alpha);
      opaque_ = opaque_ & ((alpha == all_lanes(LnsTexels::kHdrOne)) |
                           (alpha == all_lanes(LnsTexels::kLdrOne)));
      colorfulness_ = colorfulness_ | (texel.red_green ^ green) | (texel.blue_alpha ^ green);
    }
    // HDR has no way to store grey with alpha.
    TESSERA_INLINE BlockTraits traits() const {
      return {((colorfulness_ & all_lanes(0xFFFF)) == all_lanes(0)) & opaque_, opaque_};
    }
    TESSERA_INLINE LaneMask has_steps(const BlockTraits& /*traits*/) const {
      return lanes::every_lane(false);
    }

   private:
    LaneMask opaque_;
    I32 colorfulness_;
  };
};

// Calls work(t, value) once for each texel t, with that texel of the lanes' blocks. Texels are
// loaded by four of a row; behind a row of three, one more is read and not looked at.
template <class Texels, class Work>
TESSERA_INLINE void for_texels(const TexelChunk<Texels>& chunk, KernelSize size,
                               const int32_t* blocks, const Work& work) {
  constexpr unsigned kPiece = 4;
  typename LaneTexels<Texels>::Value columns[kPiece];
  for (unsigned y = 0; kEncodesAll && size.width < kPiece && y < size.row_count(); ++y) {
    LaneTexels<Texels>::load_columns(chunk.row(y), blocks, size.width, columns);
    for (unsigned k = 0; k < size.width; ++k) {
      work(y * size.width + k, columns[k]);
    }
  }
  for (unsigned y = 0; (!kEncodesAll || size.width >= kPiece) && y < size.row_count(); ++y) {
    for (unsigned x = 0; x < size.width; x += kPiece) {
      // The last piece may overlap the one before it.
      const unsigned start = std::min(x, size.width - kPiece);
      LaneTexels<Texels>::load_columns(chunk.row(y) + start, blocks, size.width, columns);
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
  for (unsigned y = 0; y < size.row_count(); ++y) {
    typename LaneTexels<Texels>::Value columns[4];
    LaneTexels<Texels>::load_neighbours(chunk.row(y) + first * 4, columns);
    for (unsigned x = 0; x < 4; ++x) {
      work(y * 4 + x, columns[x]);
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_BLOCK_TEXELS_INL_H_
