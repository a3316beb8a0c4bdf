// Texels of the chunk's blocks into lanes, one block a lane.
#if defined(TESSERA_ASTC_BLOCK_TEXELS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_BLOCK_TEXELS_INL_H_
#undef TESSERA_ASTC_BLOCK_TEXELS_INL_H_
#else
#define TESSERA_ASTC_BLOCK_TEXELS_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "astc/encode/chunk.h"
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

// Blocks of 2D are at least four texels wide.
// Calls work(t, rgba) once for each texel t, with that texel of the lanes' blocks. Four texels of a
// row at a time are copied side by side and transposed: half the time of gathering each texel.
template <class Work>
TESSERA_INLINE void for_texels(const Chunk& chunk, BlockSize size, const int32_t* blocks,
                               const Work& work) {
  constexpr unsigned kPiece = 4;
  TESSERA_ALIGN uint32_t pieces[kPiece * lanes::kMaxLaneCount];
  for (unsigned y = 0; y < size.y; ++y) {
    const uint32_t* const row = chunk.row(y);
    for (unsigned x = 0; x < size.x; x += kPiece) {
      // The last piece may overlap the one before it.
      const unsigned start = std::min(x, size.x - kPiece);
      for (size_t lane = 0; lane < lanes::lane_count(); ++lane) {
        std::memcpy(pieces + kPiece * lane,
                    row + static_cast<size_t>(blocks[lane]) * size.x + start,
                    kPiece * sizeof(uint32_t));
      }
      lanes::U8x4 columns[kPiece];
      lanes::load_block_row(pieces, columns);
      for (unsigned k = x - start; k < kPiece; ++k) {
        work(y * size.x + start + k, lanes::as_i32(columns[k]));
      }
    }
  }
}

// The same for blocks side by side, from `first` on.
template <class Work>
TESSERA_INLINE void for_texels_from(const Chunk& chunk, BlockSize size, size_t first,
                                    const Work& work) {
  if (size.x != 4) {
    TESSERA_ALIGN int32_t blocks[lanes::kMaxLaneCount];
    lanes::store(lanes::lane_numbers() + all_lanes(static_cast<int32_t>(first)), blocks);
    for_texels(chunk, size, blocks, work);
    return;
  }
  for (unsigned y = 0; y < size.y; ++y) {
    lanes::U8x4 columns[4];
    lanes::load_block_row(chunk.row(y) + first * 4, columns);
    for (unsigned x = 0; x < 4; ++x) {
      work(y * 4 + x, lanes::as_i32(columns[x]));
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_BLOCK_TEXELS_INL_H_
