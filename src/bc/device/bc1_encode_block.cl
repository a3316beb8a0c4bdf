// One block from texels to words, in plain C. Comes after bc1_methods.cl.

// --- real time: the diagonal of the box, one pass of least squares ---
BC1_INLINE int bc1_realtime_level(int numerator, float inverse, int origin, int levels) {
  const float per_byte = levels == 31 ? as_float(0x3DF8F8F9) : as_float(0x3E7CFCFD);
  const float distance = (float)numerator * inverse;
  const float value = (distance + (float)origin) * per_byte;
  return bc1_clamp_level(value + 0.5f, levels);
}

BC1_INLINE Bc1Words bc1_solid_words(Bc1Color color, int step_count, BC1_TABLE tables, int* squares,
                                    const Bc1Settings* settings) {
  const int base = BC1_SOLID + (step_count == 3 ? 0 : 512);
  const int r = tables[base + color.r];
  const int g = tables[base + 256 + color.g];
  const int b = tables[base + color.b];
  const Bc1Color near = {r & 255, g & 255, b & 255};
  const Bc1Color far = {(r >> 8) & 255, (g >> 8) & 255, (b >> 8) & 255};
  *squares = (r >> 16) * settings->weight_r + (g >> 16) * settings->weight_g +
             (b >> 16) * settings->weight_b;
  return step_count == 3 ? bc1_four_color_words(bc1_pack(near), bc1_pack(far), 0x55555555u)
                         : bc1_three_color_words(bc1_pack(near), bc1_pack(far), 0x55555555u);
}

BC1_INLINE Bc1Words bc1_encode_realtime(const Bc1Block* block, const Bc1Settings* settings,
                                        BC1_TABLE tables) {
  const Bc1Box box = bc1_box(block->r, block->g, block->b);
  const Bc1Color low = {box.low_r, box.low_g, box.low_b};
  if ((box.extent_r | box.extent_g | box.extent_b) == 0) {
    int squares;
    return bc1_solid_words(low, 3, tables, &squares, settings);
  }
  const int step_r = box.flip_r ? -box.extent_r : box.extent_r;
  const int step_g = box.flip_g ? -box.extent_g : box.extent_g;
  const int step_b = box.flip_b ? -box.extent_b : box.extent_b;
  const int length = step_r * step_r + step_g * step_g + step_b * step_b;
  // Texels count from the box's corner, but the corner is taken off sums, not texels.
  const int corner = low.r * step_r + low.g * step_g + low.b * step_b;
  const int start = 48 * (corner + (box.flip_r ? box.extent_r : 0) * step_r +
                          (box.flip_g ? box.extent_g : 0) * step_g +
                          (box.flip_b ? box.extent_b : 0) * step_b);
  const int border1 = start + 11 * length;
  const int border2 = start + 24 * length;
  const int border3 = start + 37 * length;
  const int step48_r = 48 * step_r, step48_g = 48 * step_g, step48_b = 48 * step_b;
  int s_sum = 0, ss = 0, sr = 0, sg = 0, sb = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int r = block->r[i], g = block->g[i], b = block->b[i];
    const int along = r * step48_r + g * step48_g + b * step48_b;
    const int s = (along >= border1) + (along >= border2) + (along >= border3);
    s_sum += s;
    ss += s * s;
    sr += s * r;
    sg += s * g;
    sb += s * b;
  }
  const int sum_r = block->sum_r - 16 * low.r;
  const int sum_g = block->sum_g - 16 * low.g;
  const int sum_b = block->sum_b - 16 * low.b;
  sr -= low.r * s_sum;
  sg -= low.g * s_sum;
  sb -= low.b * s_sum;
  const int determinant = 16 * ss - s_sum * s_sum;
  const int flat = determinant == 0;
  const float inverse = bc1_reciprocal((float)(flat ? 16 : determinant));
  const int a_x = flat ? 1 : ss, a_s = flat ? 0 : -s_sum;
  const int b_x = flat ? 1 : ss - 3 * s_sum, b_s = flat ? 0 : 48 - s_sum;
  const Bc1Color first = {bc1_realtime_level(a_x * sum_r + a_s * sr, inverse, low.r, 31),
                          bc1_realtime_level(a_x * sum_g + a_s * sg, inverse, low.g, 63),
                          bc1_realtime_level(a_x * sum_b + a_s * sb, inverse, low.b, 31)};
  const Bc1Color second = {bc1_realtime_level(b_x * sum_r + b_s * sr, inverse, low.r, 31),
                           bc1_realtime_level(b_x * sum_g + b_s * sg, inverse, low.g, 63),
                           bc1_realtime_level(b_x * sum_b + b_s * sb, inverse, low.b, 31)};
  return bc1_four_color_words(
      bc1_pack(first), bc1_pack(second),
      bc1_project_thirds(block->r, block->g, block->b, bc1_expand(first), bc1_expand(second)));
}

// --- all other methods ---
BC1_INLINE Bc1Fit bc1_fit(const Bc1Block* block, int step_count, const Bc1Settings* settings,
                          BC1_TABLE tables, BC1_SCRATCH tail, int stride) {
  Bc1Fit fit;
  if (settings->method == BC1_METHOD_RANGE) {
    fit = bc1_fit_range(block, step_count, settings);
  } else if (settings->method == BC1_METHOD_STARTS) {
    fit = bc1_fit_starts(block, step_count, settings, tables);
  } else if (settings->method == BC1_METHOD_CLUSTER) {
    fit = bc1_fit_cluster(block, step_count, settings, tables, tail, stride);
  } else if (settings->method == BC1_METHOD_LSPIRO) {
    fit = bc1_fit_lspiro(block, step_count, settings, tables);
  } else {
    fit = bc1_fit_pair(block, step_count, settings);
  }
  bc1_descend(block, settings, step_count, &fit);
  return fit;
}

// The block without the texels that `excluded` marks.
BC1_INLINE Bc1Block bc1_exclude(const Bc1Block* block, uint excluded) {
  Bc1Block rest = *block;
  rest.excluded = excluded;
  rest.count = 0;
  for (int i = 0; i < 16; ++i) {
    const int fitted = bc1_is_fitted(&rest, i);
    rest.count += fitted;
    rest.r[i] = fitted ? block->r[i] : 0;
    rest.g[i] = fitted ? block->g[i] : 0;
    rest.b[i] = fitted ? block->b[i] : 0;
  }
  bc1_sum_colors(&rest);
  return rest;
}

BC1_INLINE int bc1_square_sum4(const Bc1Block* block, const Bc1Settings* settings) {
  int sum = 0;
  for (int i = 0; i < 16; ++i) {
    sum += settings->weight_r * block->r[i] * block->r[i] +
           settings->weight_g * block->g[i] * block->g[i] +
           settings->weight_b * block->b[i] * block->b[i];
  }
  return 4 * sum;
}

BC1_INLINE uint bc1_transparent(const uint* texels, const Bc1Settings* settings) {
  uint marks = 0u;
  for (int i = 0; i < 16; ++i) {
    marks |= (int)(texels[i] >> 24) < settings->alpha_threshold ? 3u << (2 * i) : 0u;
  }
  return settings->punch_through ? marks : 0u;
}

BC1_INLINE uint bc1_dark(const Bc1Block* block) {
  uint marks = 0u;
  for (int i = 0; i < 16; ++i) {
    marks |= bc1_max(block->r[i], bc1_max(block->g[i], block->b[i])) < 16 ? 3u << (2 * i) : 0u;
  }
  return marks;
}

typedef struct {
  Bc1Words words;
  int error4;
} Bc1Encoded;

BC1_INLINE void bc1_offer_three_colors(const Bc1Block* block, uint excluded, int transparent4,
                                       const Bc1Settings* settings, BC1_TABLE tables,
                                       BC1_SCRATCH tail, int stride, Bc1Encoded* best) {
  const Bc1Block rest = bc1_exclude(block, excluded);
  const Bc1Fit fit = bc1_fit(&rest, 2, settings, tables, tail, stride);
  if (fit.error4 - transparent4 < best->error4) {
    best->words = bc1_three_color_words(fit.first, fit.second, fit.steps);
    best->error4 = fit.error4 - transparent4;
  }
}

BC1_INLINE void bc1_offer_solid(const Bc1Block* block, const Bc1Settings* settings,
                                BC1_TABLE tables, Bc1Encoded* best) {
  int different = 0;
  for (int i = 1; i < 16; ++i) {
    different |=
        (block->r[i] ^ block->r[0]) | (block->g[i] ^ block->g[0]) | (block->b[i] ^ block->b[0]);
  }
  if (different != 0) {
    return;
  }
  const Bc1Color color = {block->r[0], block->g[0], block->b[0]};
  const int squares4 = bc1_square_sum4(block, settings);
  for (int step_count = 3; step_count >= (settings->three_colors ? 2 : 3); --step_count) {
    int squares;
    const Bc1Words words = bc1_solid_words(color, step_count, tables, &squares, settings);
    if (64 * squares - squares4 < best->error4) {
      best->words = words;
      best->error4 = 64 * squares - squares4;
    }
  }
}

BC1_INLINE Bc1Words bc1_encode_block(const uint* texels, const Bc1Settings* settings,
                                     BC1_TABLE tables, BC1_SCRATCH tail, int stride) {
  Bc1Block block;
  bc1_load(texels, &block);
  const int plain = !settings->three_colors && !settings->punch_through &&
                    !settings->dark_transparent && settings->weight_r == 1 &&
                    settings->weight_g == 1 && settings->weight_b == 1 && settings->rounding == 0 &&
                    settings->descent_sweeps == 0;
  if (plain && settings->method == BC1_METHOD_BOUNDS) {
    return bc1_encode_bounds(&block);
  }
  if (plain && settings->method == BC1_METHOD_RANGE && settings->box_axis) {
    return bc1_encode_realtime(&block, settings, tables);
  }
  const Bc1Fit fit = bc1_fit(&block, 3, settings, tables, tail, stride);
  Bc1Encoded best;
  best.words = bc1_four_color_words(fit.first, fit.second, fit.steps);
  best.error4 = fit.error4;
  const uint transparent = bc1_transparent(texels, settings);
  int transparent4 = 0;
  if (transparent != 0u) {
    const Bc1Block opaque = bc1_exclude(&block, transparent);
    transparent4 = bc1_square_sum4(&block, settings) - bc1_square_sum4(&opaque, settings);
    best.error4 = 0x7FFFFFFF;
  }
  if (settings->three_colors || transparent != 0u) {
    bc1_offer_three_colors(&block, transparent, transparent4, settings, tables, tail, stride,
                           &best);
  }
  if (settings->dark_transparent && (bc1_dark(&block) | transparent) != transparent) {
    bc1_offer_three_colors(&block, transparent | bc1_dark(&block), transparent4, settings, tables,
                           tail, stride, &best);
  }
  if (transparent == 0u) {
    bc1_offer_solid(&block, settings, tables, &best);
  }
  return best.words;
}

// --- decoding ---
BC1_INLINE uint bc1_texel(Bc1Color c) {
  return (uint)c.r | ((uint)c.g << 8) | ((uint)c.b << 16) | 0xFF000000u;
}

// The four texels that the selectors choose from.
BC1_INLINE void bc1_palette(uint colors, int rounding, uint* entry) {
  const int color0 = (int)(colors & 0xFFFFu), color1 = (int)(colors >> 16);
  const Bc1Color a = bc1_unpack(color0), b = bc1_unpack(color1);
  const int four = color0 > color1;
  entry[0] = bc1_texel(bc1_end(rounding, a));
  entry[1] = bc1_texel(bc1_end(rounding, b));
  entry[2] = bc1_texel(four ? bc1_third(rounding, a, b) : bc1_half(rounding, a, b));
  entry[3] = four ? bc1_texel(bc1_third(rounding, b, a)) : 0u;
}

// The entry of texel i, without an index that would put the palette into memory.
BC1_INLINE uint bc1_pick(const uint* entry, uint selectors, uint i) {
  const uint selector = (selectors >> (2u * i)) & 3u;
  const uint low = (selector & 1u) != 0u ? entry[1] : entry[0];
  const uint high = (selector & 1u) != 0u ? entry[3] : entry[2];
  return (selector & 2u) != 0u ? high : low;
}
