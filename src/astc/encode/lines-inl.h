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

// Lines that share each factor that is loaded.
inline constexpr unsigned kLinesAtOnce = kForDevice ? 2 : 1;

// Where a group of lines begins. The last one may overlap the one before it.
TESSERA_INLINE unsigned first_line_of_group(unsigned line, unsigned lines) {
  const unsigned last = lines - kLinesAtOnce;
  return kLinesAtOnce == 1 || line < last ? line : last;
}

// The first kCount of kLength factors of a row. Processors take them from memory where they are
// used; devices load several at once.
template <unsigned kLength, unsigned kCount, bool kLoads = kForDevice>
struct RowFactors {
  TESSERA_INLINE explicit RowFactors(const float* of_row) : row(of_row) {}
  TESSERA_INLINE float operator[](unsigned i) const { return row[i]; }

  const float* row;
};
template <unsigned kLength, unsigned kCount>
struct RowFactors<kLength, kCount, true> {
  static constexpr unsigned kRun = kLength % 4 == 0 ? 4 : kLength % 2 == 0 ? 2 : 1;
  static constexpr unsigned kRuns = (kCount + kRun - 1) / kRun;
  struct alignas(4 * kRun) Run {
    float value[kRun];
  };

  TESSERA_INLINE explicit RowFactors(const float* of_row) {
    for (unsigned i = 0; i < kRuns; ++i) {
      runs[i] = reinterpret_cast<const Run*>(of_row)[i];
    }
  }
  TESSERA_INLINE float operator[](unsigned i) const { return runs[i / kRun].value[i % kRun]; }

  Run runs[kRuns];
};

// out[row] = Σ matrix[row][i] · in[i] for each line. Two sums run side by side, as additions take
// several cycles each.
template <unsigned kLength>
TESSERA_NOINLINE void transform_lines_of(unsigned any_length, const float* TESSERA_RESTRICT matrix,
                                         unsigned rows, unsigned lines,
                                         const F32* TESSERA_RESTRICT in, LineLayout in_layout,
                                         F32* TESSERA_RESTRICT out, LineLayout out_layout) {
  const unsigned length = kLength == kAnyLength ? any_length : kLength;
  for (unsigned next = 0; next < lines; next += kLinesAtOnce) {
    const unsigned first = first_line_of_group(next, lines);
    F32 samples[kLinesAtOnce][kLength == kAnyLength ? kLongestLine : kLength];
    for (unsigned n = 0; n < kLinesAtOnce; ++n) {
      for (unsigned i = 0; i < length; ++i) {
        samples[n][i] = in[(first + n) * in_layout.line + i * in_layout.step];
      }
    }
    const float* of_row = matrix;
    for (unsigned row = 0; row < rows; ++row, of_row += length) {
      const RowFactors<kLength, kLength> factor(of_row);
      for (unsigned n = 0; n < kLinesAtOnce; ++n) {
        F32 even = samples[n][0] * all_lanes_f32(factor[0]);
        F32 odd = samples[n][1] * all_lanes_f32(factor[1]);
        for (unsigned i = 2; i < length; ++i) {
          F32& sum = i % 2 == 0 ? even : odd;
          sum = sum + samples[n][i] * all_lanes_f32(factor[i]);
        }
        out[(first + n) * out_layout.line + row * out_layout.step] = even + odd;
      }
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
  constexpr unsigned kPairs = (kLength == kAnyLength ? kLongestLine : kLength + 1) / 2;
  for (unsigned next = 0; next < lines; next += kLinesAtOnce) {
    const unsigned first = first_line_of_group(next, lines);
    F32 sums[kLinesAtOnce][kPairs], differences[kLinesAtOnce][kPairs];
    for (unsigned n = 0; n < kLinesAtOnce; ++n) {
      const F32* const of_line = in + (first + n) * layout.line;
      for (unsigned i = 0; i < half; ++i) {
        const F32 front = of_line[i * layout.step], back = of_line[(length - 1 - i) * layout.step];
        sums[n][i] = front + back;
        differences[n][i] = front - back;
      }
      if (half < larger_half) {
        sums[n][half] = of_line[half * layout.step];
      }
    }
    const auto set_row = [&](unsigned row, const F32(*of_row)[kPairs], unsigned count) {
      const RowFactors<kLength, kPairs> factor(matrix + row * length);
      for (unsigned n = 0; n < kLinesAtOnce; ++n) {
        F32 sum = of_row[n][0] * all_lanes_f32(factor[0]);
        for (unsigned i = 1; i < count; ++i) {
          sum = sum + of_row[n][i] * all_lanes_f32(factor[i]);
        }
        out[(first + n) * layout.line + row * layout.step] = sum;
      }
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
