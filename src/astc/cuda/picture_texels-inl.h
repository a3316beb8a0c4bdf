// Texels from the picture into lanes: one block per thread, so one lane. To be included before the
// stages, which then find for_texels() of such pictures.
#if defined(TESSERA_ASTC_PICTURE_TEXELS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_PICTURE_TEXELS_INL_H_
#undef TESSERA_ASTC_PICTURE_TEXELS_INL_H_
#else
#define TESSERA_ASTC_PICTURE_TEXELS_INL_H_
#endif

#include "astc/cuda/device_task.h"
#include "astc/encode/analyse-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

template <>
struct LaneTexels<PictureTexels> : LaneTexels<Rgba8Texels> {};

// A block's first texel.
struct BlockOrigin {
  uint32_t x, y;
};

TESSERA_INLINE BlockOrigin block_origin(const PictureChunk& chunk, KernelSize size, size_t block) {
  const uint32_t place = chunk.place(block);
  const uint32_t row = place / chunk.picture.across;
  return {(place - row * chunk.picture.across) * size.width, row * size.height};
}

TESSERA_INLINE Inside inside_of(const PictureChunk& chunk, KernelSize size, size_t block) {
  Inside inside = {chunk.has_edges, size, all_lanes(static_cast<int32_t>(size.width)),
                   all_lanes(static_cast<int32_t>(size.height)), all_lanes(1)};
  if (chunk.has_edges) {
    inside.x = lanes::load_i32(chunk.inside_x + block);
    inside.y = lanes::load_i32(chunk.inside_y + block);
  }
  return inside;
}

// Texels side by side that are loaded at once.
template <unsigned kCount>
struct alignas(4 * kCount) TexelRun {
  uint32_t texel[kCount];
};

inline constexpr unsigned run_length(unsigned width) {
  return width % 4 == 0 ? 4 : width % 2 == 0 ? 2 : 1;
}

// Texels outside the picture repeat those of its edge.
template <class Work>
TESSERA_INLINE void for_texels(const PictureChunk& chunk, KernelSize size, const int32_t* blocks,
                               const Work& work) {
  const Picture& picture = chunk.picture;
  const BlockOrigin origin = block_origin(chunk, size, static_cast<size_t>(blocks[0]));
  if constexpr (kHasFixedSize) {
    constexpr unsigned kRun = run_length(KernelSize(BlockSize{}).width);
    if (!chunk.has_edges && picture.has_aligned_rows) {
      TESSERA_UNROLL
      for (unsigned y = 0; y < size.height; ++y) {
        const auto* const row = reinterpret_cast<const TexelRun<kRun>*>(
            picture.texels + (origin.y + y) * picture.row_stride + origin.x);
        TESSERA_UNROLL
        for (unsigned x = 0; x < size.width; x += kRun) {
          const TexelRun<kRun> run = row[x / kRun];
          TESSERA_UNROLL
          for (unsigned k = 0; k < kRun; ++k) {
            work(y * size.width + x + k, lanes::i32_of(run.texel[k]));
          }
        }
      }
      return;
    }
  }
  TESSERA_UNROLL
  for (unsigned y = 0; y < size.height; ++y) {
    const uint32_t row = origin.y + y < picture.height ? origin.y + y : picture.height - 1;
    const uint32_t* const texels = picture.texels + row * picture.row_stride;
    TESSERA_UNROLL
    for (unsigned x = 0; x < size.width; ++x) {
      const uint32_t column = origin.x + x < picture.width ? origin.x + x : picture.width - 1;
      work(y * size.width + x, lanes::i32_of(texels[column]));
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_PICTURE_TEXELS_INL_H_
