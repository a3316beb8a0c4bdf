// Small matrices applied to the lines (rows or columns) of a block, one block per lane. The length
// of a line is a template argument, so that a line's samples stay in registers.
#if defined(TESSERA_ASTC_LINES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_LINES_INL_H_
#undef TESSERA_ASTC_LINES_INL_H_
#else
#define TESSERA_ASTC_LINES_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"
#include "astc/encode/encoder_scope.h"
#include "astc/encode/weight_grid.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Where lines lie in memory: `step` from a sample to the next, `line` from a line to the next.
struct LineLayout {
  unsigned step;
  unsigned line;
};

// What code for any length is compiled with: the rarer ones share it where code is to be small.
inline constexpr unsigned kAnyLength = 0, kLongestLine = 12;

// out[row] = Σ matrix[row][i] · in[i] for each line. Two sums run side by side, as additions take
// several cycles each.
template <unsigned kLength>
TESSERA_NOINLINE void transform_lines_of(unsigned any_length, const float* TESSERA_RESTRICT matrix,
                                         unsigned rows, unsigned lines,
                                         const F32* TESSERA_RESTRICT in, LineLayout in_layout,
                                         F32* TESSERA_RESTRICT out, LineLayout out_layout) {
  const unsigned length = kLength == kAnyLength ? any_length : kLength;
  for (unsigned line = 0; line < lines; ++line) {
    F32 samples[kLength == kAnyLength ? kLongestLine : kLength];
    for (unsigned i = 0; i < length; ++i) {
      samples[i] = in[line * in_layout.line + i * in_layout.step];
    }
    const float* factor = matrix;
    for (unsigned row = 0; row < rows; ++row, factor += length) {
      F32 even = samples[0] * all_lanes_f32(factor[0]);
      F32 odd = samples[1] * all_lanes_f32(factor[1]);
      for (unsigned i = 2; i < length; ++i) {
        F32& sum = i % 2 == 0 ? even : odd;
        sum = sum + samples[i] * all_lanes_f32(factor[i]);
      }
      out[line * out_layout.line + row * out_layout.step] = even + odd;
    }
  }
}

// The same with rows of cosines (cosine_rows.h), all of them: a row is the same from both ends,
// every other one but for the sign. So samples that share a factor are added, or subtracted, first.
template <unsigned kLength>
TESSERA_NOINLINE void transform_cosines_of(unsigned any_length,
                                           const float* TESSERA_RESTRICT matrix, unsigned lines,
                                           const F32* TESSERA_RESTRICT in,
                                           F32* TESSERA_RESTRICT out, LineLayout layout) {
  const unsigned length = kLength == kAnyLength ? any_length : kLength;
  const unsigned half = length / 2, larger_half = length - half;
  for (unsigned line = 0; line < lines; ++line, in += layout.line, out += layout.line) {
    constexpr unsigned kPairs = (kLength == kAnyLength ? kLongestLine : kLength + 1) / 2;
    F32 sums[kPairs], differences[kPairs];
    for (unsigned i = 0; i < half; ++i) {
      const F32 front = in[i * layout.step], back = in[(length - 1 - i) * layout.step];
      sums[i] = front + back;
      differences[i] = front - back;
    }
    if (half < larger_half) {
      sums[half] = in[half * layout.step];
    }
    const auto set_row = [&](unsigned row, const F32* of_row, unsigned count) {
      const float* const factor = matrix + row * length;
      F32 sum = of_row[0] * all_lanes_f32(factor[0]);
      for (unsigned i = 1; i < count; ++i) {
        sum = sum + of_row[i] * all_lanes_f32(factor[i]);
      }
      out[row * layout.step] = sum;
    };
    for (unsigned row = 0; row < half; ++row) {
      set_row(2 * row, sums, larger_half);
      set_row(2 * row + 1, differences, half);
    }
    if (half < larger_half) {
      set_row(length - 1, sums, larger_half);
    }
  }
}

// Calls work.template operator()<length>() with the length of a block's edge, or with kAnyLength.
// The most usual length comes first: real time notices each test.
template <class Work>
TESSERA_INLINE void with_length(unsigned length, const Work& work) {
  if (TESSERA_LIKELY(length == 4)) {
    return work.template operator()<4>();
  }
  if (length == 6) {
    return work.template operator()<6>();
  }
  if (length == 8) {
    return work.template operator()<8>();
  }
  if constexpr (kEncodesAll) {
    switch (length) {
      case 3:
        return work.template operator()<3>();
      case 5:
        return work.template operator()<5>();
      case 10:
        return work.template operator()<10>();
      default:
        return work.template operator()<12>();
    }
  } else {
    work.template operator()<kAnyLength>();
  }
}

TESSERA_INLINE void transform_lines(unsigned length, const float* matrix, unsigned rows,
                                    unsigned lines, const F32* in, LineLayout in_layout, F32* out,
                                    LineLayout out_layout) {
  with_length(length, [&]<unsigned kLength>() {
    transform_lines_of<kLength>(length, matrix, rows, lines, in, in_layout, out, out_layout);
  });
}

TESSERA_INLINE void transform_cosines(unsigned length, const float* matrix, unsigned lines,
                                      const F32* in, F32* out, LineLayout layout) {
  with_length(length, [&]<unsigned kLength>() {
    transform_cosines_of<kLength>(length, matrix, lines, in, out, layout);
  });
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_LINES_INL_H_
