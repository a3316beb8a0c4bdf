// Small matrices applied to the lines (rows or columns) of a block, one block per lane. The length
// of a line is a template argument, so that a line's samples stay in registers.
#if defined(TESSERA_ASTC_LINES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_LINES_INL_H_
#undef TESSERA_ASTC_LINES_INL_H_
#else
#define TESSERA_ASTC_LINES_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"
#include "astc/encode/weight_grid.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Where lines lie in memory: `step` from a sample to the next, `line` from a line to the next.
struct LineLayout {
  unsigned step;
  unsigned line;
};

// out[row] = Σ matrix[row][i] · in[i] for each line. Two sums run side by side, as additions take
// several cycles each.
template <unsigned kLength>
TESSERA_NOINLINE void transform_lines_of(const float* TESSERA_RESTRICT matrix, unsigned rows,
                                         unsigned lines, const F32* TESSERA_RESTRICT in,
                                         LineLayout in_layout, F32* TESSERA_RESTRICT out,
                                         LineLayout out_layout) {
  for (unsigned line = 0; line < lines; ++line) {
    F32 samples[kLength];
    for (unsigned i = 0; i < kLength; ++i) {
      samples[i] = in[line * in_layout.line + i * in_layout.step];
    }
    const float* factor = matrix;
    for (unsigned row = 0; row < rows; ++row, factor += kLength) {
      F32 even = samples[0] * all_lanes_f32(factor[0]);
      F32 odd = samples[1] * all_lanes_f32(factor[1]);
      for (unsigned i = 2; i < kLength; ++i) {
        F32& sum = i % 2 == 0 ? even : odd;
        sum = sum + samples[i] * all_lanes_f32(factor[i]);
      }
      out[line * out_layout.line + row * out_layout.step] = even + odd;
    }
  }
}

// `length` is an edge of a block.
TESSERA_INLINE void transform_lines(unsigned length, const float* matrix, unsigned rows,
                                    unsigned lines, const F32* in, LineLayout in_layout, F32* out,
                                    LineLayout out_layout) {
  switch (length) {
    case 3:
      return transform_lines_of<3>(matrix, rows, lines, in, in_layout, out, out_layout);
    case 4:
      return transform_lines_of<4>(matrix, rows, lines, in, in_layout, out, out_layout);
    case 5:
      return transform_lines_of<5>(matrix, rows, lines, in, in_layout, out, out_layout);
    case 6:
      return transform_lines_of<6>(matrix, rows, lines, in, in_layout, out, out_layout);
    case 8:
      return transform_lines_of<8>(matrix, rows, lines, in, in_layout, out, out_layout);
    case 10:
      return transform_lines_of<10>(matrix, rows, lines, in, in_layout, out, out_layout);
    default:
      return transform_lines_of<12>(matrix, rows, lines, in, in_layout, out, out_layout);
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_LINES_INL_H_
