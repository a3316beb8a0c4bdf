// One BC1 block in plain C: what the vector kernels of src/bc do in a lane, with the same integers
// and the same order of float operations, so that the bytes are the same. OpenCL C 1.2; CUDA
// compiles it, too, and so do the tests, which use it as the reference of the vector kernels.
//
// BC1_INLINE stands before every function, BC1_TABLE is how tables are reached (__global const
// int*), BC1_SCRATCH where the tail sums of cluster fit lie (__local float*), a stride of work-items
// apart.
#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#define BC1_INLINE
#define BC1_TABLE __global const int*
#define BC1_SCRATCH __local float*
#endif

#define BC1_METHOD_BOUNDS 0
#define BC1_METHOD_FARTHEST 1
#define BC1_METHOD_LUMA 2
#define BC1_METHOD_RANGE 3
#define BC1_METHOD_STARTS 4
#define BC1_METHOD_CLUSTER 5
#define BC1_METHOD_LSPIRO 6

// Where the tables begin, in ints (src/bc/device/bc1_tables.h makes them).
#define BC1_START_LINES 0       // (slope, offset) of 20 starts in thirds, then in halves
#define BC1_LSPIRO_MAGIC 80     // 17 multipliers
#define BC1_SOLID 97            // 256 of five bits, 256 of six; in thirds, then in halves
#define BC1_SPLIT_INVERSE 1121  // 969 floats

typedef struct {
  int method, passes, box_axis, start_count, exact_ranking, cluster_keep;
  int lspiro_steps, lspiro_iterations, lspiro_radius;
  int descent_sweeps, pair_moves, three_colors, punch_through, alpha_threshold, dark_transparent;
  int weight_r, weight_g, weight_b, rounding;
} Bc1Settings;

typedef struct {
  int r, g, b;
} Bc1Color;

// Texels that are not fitted are zero and have two set bits in `excluded`.
typedef struct {
  int r[16], g[16], b[16];
  uint excluded;
  int count, sum_r, sum_g, sum_b;
} Bc1Block;

typedef struct {
  int first, second;  // 5:6:5
  uint steps;
  int error4;
} Bc1Fit;

typedef struct {
  int count, s, ss, r, g, b, sr, sg, sb;
} Bc1Sums;

typedef struct {
  uint colors, selectors;
} Bc1Words;

BC1_INLINE int bc1_min(int a, int b) {
  return a < b ? a : b;
}
BC1_INLINE int bc1_max(int a, int b) {
  return a > b ? a : b;
}

BC1_INLINE float bc1_reciprocal(float x) {
  float guess = as_float(0x7EF311C7 - as_int(x));
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    guess = guess * (2.0f - x * guess);
  }
  return guess;
}

// --- colours ---
BC1_INLINE int bc1_expand5(int v) {
  return (v << 3) | (v >> 2);
}
BC1_INLINE int bc1_expand6(int v) {
  return (v << 2) | (v >> 4);
}
BC1_INLINE int bc1_pack(Bc1Color c) {
  return (c.r << 11) | (c.g << 5) | c.b;
}
BC1_INLINE Bc1Color bc1_unpack(int color) {
  Bc1Color c = {color >> 11, (color >> 5) & 63, color & 31};
  return c;
}
BC1_INLINE Bc1Color bc1_expand(Bc1Color c) {
  Bc1Color wide = {bc1_expand5(c.r), bc1_expand6(c.g), bc1_expand5(c.b)};
  return wide;
}
// round(value·levels / (64·255))
BC1_INLINE int bc1_quantize(int value_times_64, int levels) {
  const int scaled = (value_times_64 * levels + 64 * 255 / 2) >> 6;
  return (scaled + (scaled >> 8) + 1) >> 8;  // scaled / 255
}
BC1_INLINE int bc1_nearest_565(int r, int g, int b) {
  Bc1Color c = {bc1_quantize(r << 6, 31), bc1_quantize(g << 6, 63), bc1_quantize(b << 6, 31)};
  return bc1_pack(c);
}

BC1_INLINE int bc1_is_fitted(const Bc1Block* block, int i) {
  return ((block->excluded >> (2 * i)) & 3u) == 0u;
}

BC1_INLINE void bc1_sum_colors(Bc1Block* block) {
  block->sum_r = block->sum_g = block->sum_b = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    block->sum_r += block->r[i];
    block->sum_g += block->g[i];
    block->sum_b += block->b[i];
  }
}

BC1_INLINE void bc1_load(const uint* texels, Bc1Block* block) {
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    block->r[i] = (int)(texels[i] & 255u);
    block->g[i] = (int)((texels[i] >> 8) & 255u);
    block->b[i] = (int)((texels[i] >> 16) & 255u);
  }
  block->excluded = 0u;
  block->count = 16;
  bc1_sum_colors(block);
}

// --- selectors to words ---
BC1_INLINE uint bc1_selectors_from_thirds(uint thirds) {
  return ((thirds ^ (thirds << 1)) & 0xAAAAAAAAu) | ((thirds >> 1) & 0x55555555u);
}

BC1_INLINE Bc1Words bc1_four_color_words(int first, int second, uint thirds) {
  const int swap = second > first;
  const uint color0 = (uint)(swap ? second : first);
  const uint color1 = (uint)(swap ? first : second);
  const uint selectors = bc1_selectors_from_thirds(thirds) ^ (swap ? 0x55555555u : 0u);
  Bc1Words words = {color0 | (color1 << 16), first == second ? 0u : selectors};
  return words;
}

BC1_INLINE Bc1Words bc1_three_color_words(int first, int second, uint halves) {
  const int swap = first > second;
  const uint color0 = (uint)(swap ? second : first);
  const uint color1 = (uint)(swap ? first : second);
  const uint low = halves & 0x55555555u;
  const uint plain = (low << 1) | ((halves >> 1) & 0x55555555u);
  Bc1Words words = {color0 | (color1 << 16), plain ^ (swap ? low ^ 0x55555555u : 0u)};
  return words;
}

// --- the palette and the exact error ---
BC1_INLINE int bc1_nvidia_green(int a, int b, int weight) {
  const int difference = b - a;
  return (256 * a + difference / 4 + 128 + difference * weight) >> 8;
}

BC1_INLINE Bc1Color bc1_end(int rounding, Bc1Color c) {
  Bc1Color wide = bc1_expand(c);
  if (rounding == 1) {
    wide.r = c.r * 66 / 8;
    wide.b = c.b * 66 / 8;
  }
  return wide;
}

// A third of the way from a to b.
BC1_INLINE Bc1Color bc1_third(int rounding, Bc1Color a, Bc1Color b) {
  const Bc1Color near = bc1_expand(a), far = bc1_expand(b);
  Bc1Color mixed;
  if (rounding == 1) {
    mixed.r = (2 * a.r + b.r) * 22 / 8;
    mixed.g = bc1_nvidia_green(near.g, far.g, 80);
    mixed.b = (2 * a.b + b.b) * 22 / 8;
  } else if (rounding == 2) {
    mixed.r = (43 * near.r + 21 * far.r + 32) >> 6;
    mixed.g = (43 * near.g + 21 * far.g + 32) >> 6;
    mixed.b = (43 * near.b + 21 * far.b + 32) >> 6;
  } else {
    mixed.r = (2 * near.r + far.r) / 3;
    mixed.g = (2 * near.g + far.g) / 3;
    mixed.b = (2 * near.b + far.b) / 3;
  }
  return mixed;
}

BC1_INLINE Bc1Color bc1_half(int rounding, Bc1Color a, Bc1Color b) {
  const Bc1Color near = bc1_expand(a), far = bc1_expand(b);
  Bc1Color mixed;
  if (rounding == 1) {
    mixed.r = (a.r + b.r) * 33 / 8;
    mixed.g = bc1_nvidia_green(near.g, far.g, 128);
    mixed.b = (a.b + b.b) * 33 / 8;
  } else {
    const int up = rounding == 2 ? 1 : 0;
    mixed.r = (near.r + far.r + up) >> 1;
    mixed.g = (near.g + far.g + up) >> 1;
    mixed.b = (near.b + far.b + up) >> 1;
  }
  return mixed;
}

BC1_INLINE int bc1_bias(const Bc1Settings* settings, Bc1Color c, int number) {
  return number - 4 * (settings->weight_r * c.r * c.r + settings->weight_g * c.g * c.g +
                       settings->weight_b * c.b * c.b);
}

BC1_INLINE int bc1_score(const Bc1Block* block, int i, Bc1Color weighted8, int bias) {
  return block->r[i] * weighted8.r + block->g[i] * weighted8.g + block->b[i] * weighted8.b + bias;
}

BC1_INLINE Bc1Fit bc1_measure(const Bc1Block* block, int first, int second, int step_count,
                              const Bc1Settings* settings) {
  const Bc1Color a = bc1_unpack(first), b = bc1_unpack(second);
  Bc1Color entry[4];
  int bias[4];
  entry[0] = bc1_end(settings->rounding, a);
  entry[step_count] = bc1_end(settings->rounding, b);
  if (step_count == 3) {
    entry[1] = bc1_third(settings->rounding, a, b);
    entry[2] = bc1_third(settings->rounding, b, a);
  } else {
    entry[1] = bc1_half(settings->rounding, a, b);
    entry[3] = entry[0];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    bias[k] = bc1_bias(settings, entry[k], k);
    entry[k].r *= 8 * settings->weight_r;
    entry[k].g *= 8 * settings->weight_g;
    entry[k].b *= 8 * settings->weight_b;
  }
  Bc1Fit fit = {first, second, 0u, 0};
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    int best =
        bc1_max(bc1_score(block, i, entry[0], bias[0]), bc1_score(block, i, entry[1], bias[1]));
    best = bc1_max(best, bc1_score(block, i, entry[2], bias[2]));
    if (step_count == 3) {
      best = bc1_max(best, bc1_score(block, i, entry[3], bias[3]));
    } else if (!bc1_is_fitted(block, i)) {
      best = 3;
    }
    const int number = best & 3;
    fit.error4 -= best - number;
    fit.steps |= (uint)number << (2 * i);
  }
  return fit;
}

// --- least squares ---
BC1_INLINE Bc1Sums bc1_sums(const Bc1Block* block, uint steps) {
  Bc1Sums sums = {block->count, 0, 0, block->sum_r, block->sum_g, block->sum_b, 0, 0, 0};
  const uint fitted = steps & ~block->excluded;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int s = (int)((fitted >> (2 * i)) & 3u);
    sums.s += s;
    sums.ss += s * s;
    sums.sr += s * block->r[i];
    sums.sg += s * block->g[i];
    sums.sb += s * block->b[i];
  }
  return sums;
}

typedef struct {
  float p, q, u, inverse_u, inverse_determinant, inverse_count, k;
  int ss, s, flat;
} Bc1Equations;

typedef struct {
  int first, second;
  float error;
} Bc1Ends;

BC1_INLINE int bc1_clamp_level(float v, int levels) {
  const float top = (float)levels;
  const float low = v > 0.0f ? v : 0.0f;
  return (int)(low < top ? low : top);
}

BC1_INLINE int bc1_expand_level(int v, int levels) {
  return levels == 31 ? bc1_expand5(v) : bc1_expand6(v);
}

BC1_INLINE Bc1Ends bc1_complete(const Bc1Equations* e, int first, float first_sum, float second_sum,
                                int levels, float per_byte) {
  const float a = (float)bc1_expand_level(first, levels);
  const float ideal = (second_sum - e->q * a) * e->inverse_u;
  const int second = bc1_clamp_level(ideal * per_byte + 0.5f, levels);
  const float b = (float)bc1_expand_level(second, levels);
  const float cross = b * e->q - first_sum;
  Bc1Ends ends = {first, second,
                  a * (a * e->p + (cross + cross)) + b * (b * e->u - (second_sum + second_sum))};
  return ends;
}

BC1_INLINE Bc1Ends bc1_solve_channel(const Bc1Equations* e, int color, int s_color, int levels,
                                     int neighbours) {
  // Not 31/255 in the compiler's arithmetic, which may differ: the nearest floats.
  const float per_byte = levels == 31 ? as_float(0x3DF8F8F9) : as_float(0x3E7CFCFD);
  const float numerator = (float)(e->ss * color - e->s * s_color);
  const float color_sum = (float)color;
  const float ideal = e->flat ? color_sum * e->inverse_count : numerator * e->inverse_determinant;
  const float second_sum = (float)s_color * e->k;
  const float first_sum = color_sum * (e->k * e->k) - second_sum;
  if (!neighbours) {
    return bc1_complete(e, bc1_clamp_level(ideal * per_byte + 0.5f, levels), first_sum, second_sum,
                        levels, per_byte);
  }
  const int below = bc1_clamp_level(ideal * per_byte, levels);
  const int above = bc1_min(below + 1, levels);
  const Bc1Ends lower = bc1_complete(e, below, first_sum, second_sum, levels, per_byte);
  const Bc1Ends upper = bc1_complete(e, above, first_sum, second_sum, levels, per_byte);
  return upper.error < lower.error ? upper : lower;
}

// neighbours: both neighbours of the best first ends are tried, not the nearest only.
BC1_INLINE Bc1Ends bc1_solve_with(Bc1Sums sums, int step_count, const Bc1Settings* settings,
                                  int neighbours) {
  const int cross = step_count * sums.s - sums.ss;
  const int determinant = sums.count * sums.ss - sums.s * sums.s;
  Bc1Equations e;
  e.k = (float)step_count;
  e.p = (float)(step_count * step_count * sums.count - step_count * sums.s - cross);
  e.q = (float)cross;
  e.u = (float)sums.ss;
  e.inverse_u = bc1_reciprocal((float)bc1_max(sums.ss, 1));
  e.inverse_determinant = bc1_reciprocal((float)bc1_max(determinant, 1));
  e.inverse_count = step_count == 3 ? 0.0625f : bc1_reciprocal((float)bc1_max(sums.count, 1));
  e.ss = sums.ss;
  e.s = sums.s;
  e.flat = determinant == 0;
  const Bc1Ends r = bc1_solve_channel(&e, sums.r, sums.sr, 31, neighbours);
  const Bc1Ends g = bc1_solve_channel(&e, sums.g, sums.sg, 63, neighbours);
  const Bc1Ends b = bc1_solve_channel(&e, sums.b, sums.sb, 31, neighbours);
  const Bc1Color first = {r.first, g.first, b.first};
  const Bc1Color second = {r.second, g.second, b.second};
  Bc1Ends ends = {bc1_pack(first), bc1_pack(second),
                  r.error * (float)settings->weight_r + g.error * (float)settings->weight_g +
                      b.error * (float)settings->weight_b};
  return ends;
}

BC1_INLINE Bc1Ends bc1_solve(Bc1Sums sums, int step_count, const Bc1Settings* settings) {
  return bc1_solve_with(sums, step_count, settings, 1);
}

BC1_INLINE void bc1_refine(const Bc1Block* block, const Bc1Settings* settings, int passes,
                           int step_count, Bc1Fit* fit) {
  for (int pass = 0; pass < passes; ++pass) {
    const Bc1Ends ends = bc1_solve(bc1_sums(block, fit->steps), step_count, settings);
    const Bc1Fit next = bc1_measure(block, ends.first, ends.second, step_count, settings);
    if (next.error4 >= fit->error4) {
      return;
    }
    *fit = next;
  }
}

BC1_INLINE int bc1_move(int color, int unit, int mask, int direction) {
  if (direction == 0 || (color & mask) == (direction > 0 ? mask : 0)) {
    return color;
  }
  return color + direction * unit;
}

BC1_INLINE void bc1_descend(const Bc1Block* block, const Bc1Settings* settings, int step_count,
                            Bc1Fit* fit) {
  for (int sweep = 0; sweep < settings->descent_sweeps; ++sweep) {
    const int before = fit->error4;
    for (int c = 0; c < 3; ++c) {
      const int unit = c == 0 ? 1 << 11 : (c == 1 ? 1 << 5 : 1);
      const int mask = c == 0 ? 31 << 11 : (c == 1 ? 63 << 5 : 31);
      for (int m = 0; m < (settings->pair_moves ? 8 : 4); ++m) {
        const int by_first = m < 2 ? 2 * m - 1 : (m < 4 ? 0 : (m == 4 || m == 6 ? -1 : 1));
        const int by_second = m < 2 ? 0 : (m < 4 ? 2 * m - 5 : (m == 4 || m == 7 ? -1 : 1));
        const Bc1Fit moved =
            bc1_measure(block, bc1_move(fit->first, unit, mask, by_first),
                        bc1_move(fit->second, unit, mask, by_second), step_count, settings);
        if (moved.error4 < fit->error4) {
          *fit = moved;
        }
      }
    }
    if (fit->error4 >= before) {
      return;
    }
  }
}

// --- the axis ---
typedef struct {
  int rr, rg, rb, gg, gb, bb;
} Bc1Moments;

BC1_INLINE Bc1Moments bc1_moments(const Bc1Block* block) {
  Bc1Moments m = {0, 0, 0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int r = block->r[i], g = block->g[i], b = block->b[i];
    m.rr += r * r;
    m.rg += r * g;
    m.rb += r * b;
    m.gg += g * g;
    m.gb += g * b;
    m.bb += b * b;
  }
  m.rr = m.rr * block->count - block->sum_r * block->sum_r;
  m.rg = m.rg * block->count - block->sum_r * block->sum_g;
  m.rb = m.rb * block->count - block->sum_r * block->sum_b;
  m.gg = m.gg * block->count - block->sum_g * block->sum_g;
  m.gb = m.gb * block->count - block->sum_g * block->sum_b;
  m.bb = m.bb * block->count - block->sum_b * block->sum_b;
  return m;
}

// Covariances with the widest channel.
BC1_INLINE Bc1Color bc1_widest_row(Bc1Moments m) {
  const int green = m.gg > m.rr;
  const int blue = m.bb > (green ? m.gg : m.rr);
  Bc1Color row = {blue ? m.rb : (green ? m.rg : m.rr), blue ? m.gb : (green ? m.gg : m.rg),
                  blue ? m.bb : (green ? m.gb : m.rb)};
  return row;
}

BC1_INLINE float bc1_power_of_two_scale(float v, int shift) {
  return as_float((int)(((uint)(254 + shift) << 23) - (uint)(as_int(v) & 0x7F800000)));
}

BC1_INLINE float bc1_absolute(float v) {
  return as_float(as_int(v) & 0x7FFFFFFF);
}
BC1_INLINE float bc1_larger(float a, float b) {
  return a > b ? a : b;
}

BC1_INLINE Bc1Color bc1_principal_axis(Bc1Moments m, const Bc1Settings* settings) {
  const float scale = bc1_power_of_two_scale((float)bc1_max(m.rr, bc1_max(m.gg, m.bb)), 0);
  const float rr = (float)m.rr * scale, rg = (float)m.rg * scale, rb = (float)m.rb * scale;
  const float gg = (float)m.gg * scale, gb = (float)m.gb * scale, bb = (float)m.bb * scale;
  const float weight_r = (float)settings->weight_r;
  const float weight_g = (float)settings->weight_g;
  const float weight_b = (float)settings->weight_b;
  const Bc1Color row = bc1_widest_row(m);
  float x = (float)row.r * scale * weight_r;
  float y = (float)row.g * scale * weight_g;
  float z = (float)row.b * scale * weight_b;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float next_x = (rr * x + rg * y + rb * z) * weight_r;
    const float next_y = (rg * x + gg * y + gb * z) * weight_g;
    const float next_z = (rb * x + gb * y + bb * z) * weight_b;
    x = next_x;
    y = next_y;
    z = next_z;
  }
  const float longest = bc1_larger(bc1_absolute(x), bc1_larger(bc1_absolute(y), bc1_absolute(z)));
  const float to_integers = bc1_power_of_two_scale(longest, 8);
  Bc1Color axis = {(int)(x * to_integers), (int)(y * to_integers), (int)(z * to_integers)};
  return axis;
}

typedef struct {
  int along[16];
  int low, high;
} Bc1Positions;

BC1_INLINE void bc1_project(const Bc1Block* block, Bc1Color axis, Bc1Positions* positions) {
  positions->low = 1 << 28;
  positions->high = -(1 << 28);
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int along = block->r[i] * axis.r + block->g[i] * axis.g + block->b[i] * axis.b;
    positions->along[i] = along;
    if (bc1_is_fitted(block, i)) {
      positions->low = bc1_min(positions->low, along);
      positions->high = bc1_max(positions->high, along);
    }
  }
  if (positions->low > positions->high) {
    positions->low = positions->high = 0;
  }
}
