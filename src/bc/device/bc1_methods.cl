// The methods, for one block in plain C. See bc1_block.cl, which comes first, and the *-inl.h file
// of src/bc that has the method's name for how it works.

// --- ends from the texels: bounds, farthest, luma ---
BC1_INLINE int bc1_stand_in(const Bc1Block* block) {
  for (int i = 0; i < 16; ++i) {
    if (bc1_is_fitted(block, i)) {
      return i;
    }
  }
  return 0;
}

typedef struct {
  int low_r, low_g, low_b, extent_r, extent_g, extent_b;
  int flip_r, flip_g, flip_b;
} Bc1Box;

// The box of texels, and which channels run against the widest one.
BC1_INLINE Bc1Box bc1_box(const int* r, const int* g, const int* b) {
  int high_r = r[0], high_g = g[0], high_b = b[0];
  Bc1Box box = {r[0], g[0], b[0], 0, 0, 0, 0, 0, 0};
  int sum_r = 0, sum_g = 0, sum_b = 0, rg = 0, rb = 0, gb = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    box.low_r = bc1_min(box.low_r, r[i]);
    box.low_g = bc1_min(box.low_g, g[i]);
    box.low_b = bc1_min(box.low_b, b[i]);
    high_r = bc1_max(high_r, r[i]);
    high_g = bc1_max(high_g, g[i]);
    high_b = bc1_max(high_b, b[i]);
    sum_r += r[i];
    sum_g += g[i];
    sum_b += b[i];
    rg += r[i] * g[i];
    rb += r[i] * b[i];
    gb += g[i] * b[i];
  }
  box.extent_r = high_r - box.low_r;
  box.extent_g = high_g - box.low_g;
  box.extent_b = high_b - box.low_b;
  rg = 16 * rg - sum_r * sum_g;
  rb = 16 * rb - sum_r * sum_b;
  gb = 16 * gb - sum_g * sum_b;
  const int green = box.extent_g > box.extent_r;
  const int blue = box.extent_b > (green ? box.extent_g : box.extent_r);
  box.flip_r = (blue ? rb : (green ? rg : 0)) < 0;
  box.flip_g = (blue ? gb : (green ? 0 : rg)) < 0;
  box.flip_b = (blue ? 0 : (green ? gb : rb)) < 0;
  return box;
}

// The ends inset by 5/64, as 5:6:5 levels.
BC1_INLINE void bc1_box_ends(const Bc1Box* box, Bc1Color* first, Bc1Color* second) {
  const int near_r = bc1_quantize(64 * box->low_r + 5 * box->extent_r, 31);
  const int near_g = bc1_quantize(64 * box->low_g + 5 * box->extent_g, 63);
  const int near_b = bc1_quantize(64 * box->low_b + 5 * box->extent_b, 31);
  const int far_r = bc1_quantize(64 * box->low_r + 59 * box->extent_r, 31);
  const int far_g = bc1_quantize(64 * box->low_g + 59 * box->extent_g, 63);
  const int far_b = bc1_quantize(64 * box->low_b + 59 * box->extent_b, 31);
  first->r = box->flip_r ? near_r : far_r;
  first->g = box->flip_g ? near_g : far_g;
  first->b = box->flip_b ? near_b : far_b;
  second->r = box->flip_r ? far_r : near_r;
  second->g = box->flip_g ? far_g : near_g;
  second->b = box->flip_b ? far_b : near_b;
}

// Thirds from start to end by projection.
BC1_INLINE uint bc1_project_thirds(const int* r, const int* g, const int* b, Bc1Color start,
                                   Bc1Color end) {
  const int step_r = end.r - start.r, step_g = end.g - start.g, step_b = end.b - start.b;
  const int length = step_r * step_r + step_g * step_g + step_b * step_b;
  const int border1 = 6 * (start.r * step_r + start.g * step_g + start.b * step_b) + length - 1;
  const int border2 = border1 + 2 * length;
  const int border3 = border2 + 2 * length;
  const int step6_r = 6 * step_r, step6_g = 6 * step_g, step6_b = 6 * step_b;
  uint thirds = 0u;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int along = r[i] * step6_r + g[i] * step6_g + b[i] * step6_b;
    const uint third = (uint)(along > border1) + (uint)(along > border2) + (uint)(along > border3);
    thirds |= third << (2 * i);
  }
  return thirds;
}

// The plain bounding box, without any option.
BC1_INLINE Bc1Words bc1_encode_bounds(const Bc1Block* block) {
  const Bc1Box box = bc1_box(block->r, block->g, block->b);
  Bc1Color first, second;
  bc1_box_ends(&box, &first, &second);
  return bc1_four_color_words(
      bc1_pack(first), bc1_pack(second),
      bc1_project_thirds(block->r, block->g, block->b, bc1_expand(first), bc1_expand(second)));
}

BC1_INLINE void bc1_farthest(const int* r, const int* g, const int* b, const Bc1Settings* settings,
                             int* first, int* second) {
  int farthest = -1;
  for (int i = 0; i < 16; ++i) {
    for (int j = i + 1; j < 16; ++j) {
      const int dr = r[i] - r[j], dg = g[i] - g[j], db = b[i] - b[j];
      const int distance = settings->weight_r * dr * dr + settings->weight_g * dg * dg +
                           settings->weight_b * db * db;
      if (distance > farthest) {
        farthest = distance;
        *first = i;
        *second = j;
      }
    }
  }
}

BC1_INLINE void bc1_luma_extremes(const int* r, const int* g, const int* b, int* first,
                                  int* second) {
  int lowest = 1 << 20, highest = -1;
  for (int i = 0; i < 16; ++i) {
    const int luma = r[i] + 2 * g[i] + b[i];
    if (luma > highest) {
      highest = luma;
      *first = i;
    }
    if (luma < lowest) {
      lowest = luma;
      *second = i;
    }
  }
}

BC1_INLINE Bc1Fit bc1_fit_pair(const Bc1Block* block, int step_count, const Bc1Settings* settings) {
  int r[16], g[16], b[16];
  const int stand_in = bc1_stand_in(block);
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int at = bc1_is_fitted(block, i) ? i : stand_in;
    r[i] = block->r[at];
    g[i] = block->g[at];
    b[i] = block->b[at];
  }
  if (settings->method == BC1_METHOD_BOUNDS) {
    const Bc1Box box = bc1_box(r, g, b);
    Bc1Color near, far;
    bc1_box_ends(&box, &near, &far);
    return bc1_measure(block, bc1_pack(near), bc1_pack(far), step_count, settings);
  }
  int first = 0, second = 0;
  if (settings->method == BC1_METHOD_FARTHEST) {
    bc1_farthest(r, g, b, settings, &first, &second);
  } else {
    bc1_luma_extremes(r, g, b, &first, &second);
  }
  return bc1_measure(block, bc1_nearest_565(r[first], g[first], b[first]),
                     bc1_nearest_565(r[second], g[second], b[second]), step_count, settings);
}

// --- range ---
BC1_INLINE Bc1Fit bc1_fit_range(const Bc1Block* block, int step_count,
                                const Bc1Settings* settings) {
  Bc1Positions positions;
  bc1_project(block, bc1_principal_axis(bc1_moments(block), settings), &positions);
  const int range = positions.high - positions.low;
  const int border1 = range * (step_count == 3 ? 5 : 7) - 1;
  const int border2 = range * (step_count == 3 ? 12 : 17) - 1;
  const int border3 = range * 19 - 1;
  uint steps = 0u;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int along = (positions.along[i] - positions.low) * 24;
    uint step = (uint)(along > border1) + (uint)(along > border2);
    step += step_count == 3 ? (uint)(along > border3) : 0u;
    steps |= step << (2 * i);
  }
  const Bc1Ends ends = bc1_solve(bc1_sums(block, steps), step_count, settings);
  Bc1Fit fit = bc1_measure(block, ends.first, ends.second, step_count, settings);
  bc1_refine(block, settings, bc1_max(settings->passes - 1, 0), step_count, &fit);
  return fit;
}

// --- starts ---
BC1_INLINE Bc1Fit bc1_fit_starts(const Bc1Block* block, int step_count, const Bc1Settings* settings,
                                 BC1_TABLE tables) {
  Bc1Positions positions;
  bc1_project(block, bc1_principal_axis(bc1_moments(block), settings), &positions);
  const float scale = bc1_reciprocal((float)bc1_max(positions.high - positions.low, 1)) * 255.5f;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    positions.along[i] = (int)((float)(positions.along[i] - positions.low) * scale);
  }
  Bc1Ends best_ends = {0, 0, 0.0f};
  Bc1Fit best = {0, 0, 0u, 0};
  for (int start = 0; start < settings->start_count; ++start) {
    const int line = BC1_START_LINES + (step_count == 3 ? 0 : 40) + 2 * start;
    const int slope = tables[line], offset = tables[line + 1];
    uint steps = 0u;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      // Texels that are not fitted may lie anywhere; their steps are dropped.
      const int step = bc1_min(bc1_max((positions.along[i] * slope + offset) >> 12, 0), step_count);
      steps |= (uint)step << (2 * i);
    }
    const Bc1Ends ends =
        bc1_solve_with(bc1_sums(block, steps), step_count, settings, settings->exact_ranking);
    if (settings->exact_ranking) {
      const Bc1Fit fit = bc1_measure(block, ends.first, ends.second, step_count, settings);
      if (start == 0 || fit.error4 < best.error4) {
        best = fit;
      }
    } else if (start == 0 || ends.error < best_ends.error) {
      best_ends = ends;
    }
  }
  if (!settings->exact_ranking) {
    best = bc1_measure(block, best_ends.first, best_ends.second, step_count, settings);
  }
  bc1_refine(block, settings, settings->passes, step_count, &best);
  return best;
}

// --- cluster ---
typedef struct {
  float explained[8];
  int split[8];
} Bc1Splits;

BC1_INLINE void bc1_keep_split(float explained, int split, int keep, Bc1Splits* best) {
  if (!(explained > best->explained[keep - 1])) {
    return;
  }
  for (int k = 0; k < keep; ++k) {
    if (explained > best->explained[k]) {
      const float displaced = best->explained[k];
      const int displaced_split = best->split[k];
      best->explained[k] = explained;
      best->split[k] = split;
      explained = displaced;
      split = displaced_split;
    }
  }
}

#define BC1_TAIL(c, i) tail[((c)*17 + (i)) * stride]

// Texels by their order along the axis: four bits each, two words.
BC1_INLINE void bc1_sort(const Bc1Block* block, int step_count, const Bc1Settings* settings,
                         BC1_SCRATCH tail, int stride, int* order) {
  Bc1Positions positions;
  bc1_project(block, bc1_principal_axis(bc1_moments(block), settings), &positions);
  int keys[16];
  for (int i = 0; i < 16; ++i) {
    int along = positions.along[i] - positions.low;
    if (step_count == 2 && !bc1_is_fitted(block, i)) {
      along = (1 << 27) - 1;
    }
    keys[i] = (along << 4) | i;
  }
  for (int i = 0; i < 16; ++i) {
    int rank = 0;
    for (int j = 0; j < 16; ++j) {
      rank += keys[j] < keys[i];
    }
    order[rank] = i;
  }
  const float inverse_count = bc1_reciprocal((float)bc1_max(block->count, 1));
  const float mean_r = (float)block->sum_r * inverse_count;
  const float mean_g = (float)block->sum_g * inverse_count;
  const float mean_b = (float)block->sum_b * inverse_count;
  float r = 0.0f, g = 0.0f, b = 0.0f;
  BC1_TAIL(0, 16) = BC1_TAIL(1, 16) = BC1_TAIL(2, 16) = 0.0f;
  for (int rank = 15; rank >= 0; --rank) {
    const int at = order[rank];
    const int used = step_count == 3 || rank < block->count;
    r = r + (used ? (float)block->r[at] - mean_r : 0.0f);
    g = g + (used ? (float)block->g[at] - mean_g : 0.0f);
    b = b + (used ? (float)block->b[at] - mean_b : 0.0f);
    BC1_TAIL(0, rank) = r;
    BC1_TAIL(1, rank) = g;
    BC1_TAIL(2, rank) = b;
  }
}

BC1_INLINE float bc1_weighted_square(float r, float g, float b, const Bc1Settings* settings) {
  return r * r * (float)settings->weight_r + g * g * (float)settings->weight_g +
         b * b * (float)settings->weight_b;
}

BC1_INLINE void bc1_search_thirds(const Bc1Settings* settings, BC1_TABLE tables, BC1_SCRATCH tail,
                                  int stride, Bc1Splits* best) {
  int split = BC1_SPLIT_INVERSE;
  for (int i = 0; i <= 16; ++i) {
    for (int j = i; j <= 16; ++j) {
      const float r = BC1_TAIL(0, i) + BC1_TAIL(0, j);
      const float g = BC1_TAIL(1, i) + BC1_TAIL(1, j);
      const float b = BC1_TAIL(2, i) + BC1_TAIL(2, j);
      for (int k = j; k <= 16; ++k, ++split) {
        const float square = bc1_weighted_square(r + BC1_TAIL(0, k), g + BC1_TAIL(1, k),
                                                 b + BC1_TAIL(2, k), settings);
        bc1_keep_split(square * as_float(tables[split]), i | (j << 5) | (k << 10),
                       settings->cluster_keep, best);
      }
    }
  }
}

BC1_INLINE void bc1_search_halves(const Bc1Block* block, const Bc1Settings* settings,
                                  BC1_SCRATCH tail, int stride, Bc1Splits* best) {
  const int n = block->count;
  for (int i = 0; i <= 16; ++i) {
    for (int j = i; j <= 16; ++j) {
      const int from_i = bc1_max(n - i, 0), from_j = bc1_max(n - j, 0);
      const int s = from_i + from_j;
      const int determinant = n * (s + 2 * from_j) - s * s;
      const float inverse = determinant > 0 ? bc1_reciprocal((float)determinant) : 0.0f;
      const float square =
          bc1_weighted_square(BC1_TAIL(0, i) + BC1_TAIL(0, j), BC1_TAIL(1, i) + BC1_TAIL(1, j),
                              BC1_TAIL(2, i) + BC1_TAIL(2, j), settings);
      bc1_keep_split(square * inverse, i | (j << 5) | (16 << 10), settings->cluster_keep, best);
    }
  }
}

BC1_INLINE Bc1Fit bc1_fit_cluster(const Bc1Block* block, int step_count,
                                  const Bc1Settings* settings, BC1_TABLE tables, BC1_SCRATCH tail,
                                  int stride) {
  int order[16];
  bc1_sort(block, step_count, settings, tail, stride, order);
  Bc1Splits best;
  for (int k = 0; k < settings->cluster_keep; ++k) {
    best.explained[k] = -1.0f;
    best.split[k] = 16 * (1 + 32 + 1024);
  }
  if (step_count == 3) {
    bc1_search_thirds(settings, tables, tail, stride, &best);
  } else {
    bc1_search_halves(block, settings, tail, stride, &best);
  }
  Bc1Fit fit = {0, 0, 0u, 0};
  for (int k = 0; k < settings->cluster_keep; ++k) {
    const int split = best.split[k];
    uint steps = 0u;
    for (int rank = 0; rank < 16; ++rank) {
      uint step = (uint)(rank >= (split & 31)) + (uint)(rank >= ((split >> 5) & 31));
      step += step_count == 3 ? (uint)(rank >= (split >> 10)) : 0u;
      steps |= step << (2 * order[rank]);
    }
    const Bc1Ends ends = bc1_solve(bc1_sums(block, steps), step_count, settings);
    const Bc1Fit next = bc1_measure(block, ends.first, ends.second, step_count, settings);
    if (k == 0 || next.error4 < fit.error4) {
      fit = next;
    }
  }
  bc1_refine(block, settings, settings->passes, step_count, &fit);
  return fit;
}

// --- LSpiro ---
typedef struct {
  int low, high;
} Bc1Line;

BC1_INLINE int bc1_round_end(int numerator, int denominator, int magic, int levels) {
  const int clamped = bc1_min(bc1_max(numerator, 0), denominator * levels);
  return (int)(((uint)(2 * clamped + denominator) * (uint)magic) >> 25);
}

BC1_INLINE Bc1Line bc1_line(int n, int value_sum, int rank_value_sum, int levels,
                            BC1_TABLE tables) {
  const int lever3 = 3 * (2 * rank_value_sum - (n - 1) * value_sum);
  const int middle = value_sum * (n + 1);
  const int denominator = n * (n + 1);
  const int magic = tables[BC1_LSPIRO_MAGIC + n];
  Bc1Line line = {bc1_round_end(middle - lever3, denominator, magic, levels),
                  bc1_round_end(middle + lever3, denominator, magic, levels)};
  return line;
}

// The set of 5-bit values is a 32-bit mask, of 6-bit values a 64-bit one; a value's rank is the
// number of set bits below it. Nothing is sorted, nothing branches.
BC1_INLINE Bc1Line bc1_regress5(const int* values, const Bc1Block* block, BC1_TABLE tables) {
  uint set = 0u;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    set |= bc1_is_fitted(block, i) ? 1u << bc1_quantize(values[i] << 6, 31) : 0u;
  }
  int value_sum = 0, rank_value_sum = 0;
  uint seen = 0u;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int v = bc1_quantize(values[i] << 6, 31);
    const uint bit = 1u << v;
    const int counted = (set & bit & ~seen) != 0u ? v : 0;
    seen |= bit;
    value_sum += counted;
    rank_value_sum += counted * (int)popcount(set & (bit - 1u));
  }
  return bc1_line((int)popcount(set), value_sum, rank_value_sum, 31, tables);
}

BC1_INLINE Bc1Line bc1_regress6(const int* values, const Bc1Block* block, BC1_TABLE tables) {
  ulong set = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    set |= bc1_is_fitted(block, i) ? (ulong)1 << bc1_quantize(values[i] << 6, 63) : (ulong)0;
  }
  int value_sum = 0, rank_value_sum = 0;
  ulong seen = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int v = bc1_quantize(values[i] << 6, 63);
    const ulong bit = (ulong)1 << v;
    const int counted = (set & bit & ~seen) != 0 ? v : 0;
    seen |= bit;
    value_sum += counted;
    rank_value_sum += counted * (int)popcount(set & (bit - 1));
  }
  return bc1_line((int)popcount(set), value_sum, rank_value_sum, 63, tables);
}

BC1_INLINE void bc1_lspiro_ends(const Bc1Block* block, BC1_TABLE tables, Bc1Color* first,
                                Bc1Color* second) {
  const Bc1Line r = bc1_regress5(block->r, block, tables);
  const Bc1Line g = bc1_regress6(block->g, block, tables);
  const Bc1Line b = bc1_regress5(block->b, block, tables);
  const Bc1Color row = bc1_widest_row(bc1_moments(block));
  first->r = row.r < 0 ? r.low : r.high;
  first->g = row.g < 0 ? g.low : g.high;
  first->b = row.b < 0 ? b.low : b.high;
  second->r = row.r < 0 ? r.high : r.low;
  second->g = row.g < 0 ? g.high : g.low;
  second->b = row.b < 0 ? b.high : b.low;
}

BC1_INLINE int bc1_offset_color(Bc1Color c, int r, int g, int b) {
  Bc1Color moved = {bc1_min(bc1_max(c.r + r, 0), 31), bc1_min(bc1_max(c.g + g, 0), 63),
                    bc1_min(bc1_max(c.b + b, 0), 31)};
  return bc1_pack(moved);
}

BC1_INLINE void bc1_search_neighbourhood(const Bc1Block* block, int step_count,
                                         const Bc1Settings* settings, Bc1Fit* fit) {
  const int radius = settings->lspiro_radius;
  const int side = 2 * radius + 1;
  const Bc1Color first = bc1_unpack(fit->first), second = bc1_unpack(fit->second);
  for (int i = 0; i < side * side * side; ++i) {
    const int near = bc1_offset_color(first, i / (side * side) - radius, i / side % side - radius,
                                      i % side - radius);
    for (int j = 0; j < side * side * side; ++j) {
      const int far = bc1_offset_color(second, j / (side * side) - radius, j / side % side - radius,
                                       j % side - radius);
      const Bc1Fit next = bc1_measure(block, near, far, step_count, settings);
      if (next.error4 < fit->error4) {
        *fit = next;
      }
    }
  }
}

BC1_INLINE Bc1Fit bc1_fit_lspiro(const Bc1Block* block, int step_count, const Bc1Settings* settings,
                                 BC1_TABLE tables) {
  Bc1Color first, second;
  bc1_lspiro_ends(block, tables, &first, &second);
  Bc1Fit fit = bc1_measure(block, bc1_pack(first), bc1_pack(second), step_count, settings);
  if (settings->lspiro_steps >= 2) {
    bc1_refine(block, settings, settings->lspiro_iterations, step_count, &fit);
  }
  if (settings->lspiro_steps >= 3) {
    bc1_search_neighbourhood(block, step_count, settings, &fit);
  }
  return fit;
}
