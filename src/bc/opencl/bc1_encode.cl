// One block from texels to words, and the kernels. The host defines BC1_SETTINGS, the initialiser of a
// Bc1Settings, so that the compiler sees constants; BC1_GROUP, the work-items of a group; and
// BC1_ALIGNED where all rows start at multiples of 16 bytes.

// --- real time: the diagonal of the box, one pass of least squares ---
int bc1_realtime_level(int numerator, float inverse, int origin, int levels) {
  const float per_byte = levels == 31 ? as_float(0x3DF8F8F9) : as_float(0x3E7CFCFD);
  const float distance = (float)numerator * inverse;
  const float value = (distance + (float)origin) * per_byte;
  return bc1_clamp_level(value + 0.5f, levels);
}

Bc1Words bc1_solid_words(Bc1Color color, int step_count, BC1_TABLE tables, int* squares,
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

Bc1Words bc1_encode_realtime(const Bc1Block* block, const Bc1Settings* settings, BC1_TABLE tables) {
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
  const int start = 48 * ((box.flip_r ? box.extent_r : 0) * step_r +
                          (box.flip_g ? box.extent_g : 0) * step_g +
                          (box.flip_b ? box.extent_b : 0) * step_b);
  int s_sum = 0, ss = 0, sr = 0, sg = 0, sb = 0, sum_r = 0, sum_g = 0, sum_b = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const int r = block->r[i] - box.low_r;
    const int g = block->g[i] - box.low_g;
    const int b = block->b[i] - box.low_b;
    const int along = 48 * (r * step_r + g * step_g + b * step_b) - start;
    const int s = (along >= 11 * length) + (along >= 24 * length) + (along >= 37 * length);
    s_sum += s;
    ss += s * s;
    sum_r += r;
    sum_g += g;
    sum_b += b;
    sr += s * r;
    sg += s * g;
    sb += s * b;
  }
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
  return bc1_four_color_words(bc1_pack(first), bc1_pack(second),
                              bc1_project_thirds(block->r, block->g, block->b, bc1_expand(first),
                                                 bc1_expand(second)));
}

// --- all other methods ---
Bc1Fit bc1_fit(const Bc1Block* block, int step_count, const Bc1Settings* settings, BC1_TABLE tables,
               BC1_SCRATCH tail, int stride) {
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
Bc1Block bc1_exclude(const Bc1Block* block, uint excluded) {
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

int bc1_square_sum4(const Bc1Block* block, const Bc1Settings* settings) {
  int sum = 0;
  for (int i = 0; i < 16; ++i) {
    sum += settings->weight_r * block->r[i] * block->r[i] +
           settings->weight_g * block->g[i] * block->g[i] +
           settings->weight_b * block->b[i] * block->b[i];
  }
  return 4 * sum;
}

uint bc1_transparent(const uint* texels, const Bc1Settings* settings) {
  uint marks = 0u;
  for (int i = 0; i < 16; ++i) {
    marks |= (int)(texels[i] >> 24) < settings->alpha_threshold ? 3u << (2 * i) : 0u;
  }
  return settings->punch_through ? marks : 0u;
}

uint bc1_dark(const Bc1Block* block) {
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

void bc1_offer_three_colors(const Bc1Block* block, uint excluded, int transparent4,
                            const Bc1Settings* settings, BC1_TABLE tables, BC1_SCRATCH tail,
                            int stride, Bc1Encoded* best) {
  const Bc1Block rest = bc1_exclude(block, excluded);
  const Bc1Fit fit = bc1_fit(&rest, 2, settings, tables, tail, stride);
  if (fit.error4 - transparent4 < best->error4) {
    best->words = bc1_three_color_words(fit.first, fit.second, fit.steps);
    best->error4 = fit.error4 - transparent4;
  }
}

void bc1_offer_solid(const Bc1Block* block, const Bc1Settings* settings, BC1_TABLE tables,
                     Bc1Encoded* best) {
  int different = 0;
  for (int i = 1; i < 16; ++i) {
    different |= (block->r[i] ^ block->r[0]) | (block->g[i] ^ block->g[0]) |
                 (block->b[i] ^ block->b[0]);
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

Bc1Words bc1_encode_block(const uint* texels, const Bc1Settings* settings, BC1_TABLE tables,
                          BC1_SCRATCH tail, int stride) {
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
    bc1_offer_three_colors(&block, transparent, transparent4, settings, tables, tail, stride, &best);
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

#ifdef __OPENCL_VERSION__

// The texels of a block; at the edges the last ones are repeated.
void bc1_fetch(__global const uchar* image, uint row_bytes, uint width, uint height, uint block_x,
               uint block_y, uint* texels) {
  if (4u * block_x + 4u <= width && 4u * block_y + 4u <= height) {
#pragma unroll
    for (uint y = 0u; y < 4u; ++y) {
      __global const uchar* row = image + (size_t)(4u * block_y + y) * row_bytes + 16u * block_x;
#ifdef BC1_ALIGNED
      const uint4 four = *(__global const uint4*)row;
#else
      const uint4 four = vload4(0, (__global const uint*)row);
#endif
      texels[4u * y] = four.x;
      texels[4u * y + 1u] = four.y;
      texels[4u * y + 2u] = four.z;
      texels[4u * y + 3u] = four.w;
    }
    return;
  }
  for (uint i = 0u; i < 16u; ++i) {
    const uint x = min(4u * block_x + i % 4u, width - 1u);
    const uint y = min(4u * block_y + i / 4u, height - 1u);
    texels[i] = *(__global const uint*)(image + (size_t)y * row_bytes + 4u * x);
  }
}

// A work-item per block, a group of BC1_GROUP blocks side by side; rows of blocks are the second
// dimension. `image` starts at the first row of blocks, `out` at its first block.
__kernel __attribute__((reqd_work_group_size(BC1_GROUP, 1, 1)))
void bc1_encode(__global const uchar* restrict image, uint row_bytes, uint width, uint height,
                __global const int* restrict tables, __global uint2* restrict out) {
#ifdef BC1_NEEDS_SCRATCH
  // Neighbouring work-items use neighbouring words: no bank conflicts.
  __local float scratch[3 * 17 * BC1_GROUP];
  __local float* tail = scratch + get_local_id(0);
#else
  __local float* tail = 0;
#endif
  const Bc1Settings settings = BC1_SETTINGS;
  const uint block_x = get_global_id(0);
  const uint block_y = get_global_id(1);
  const uint across = (width + 3u) / 4u;
  if (block_x >= across) {
    return;
  }
  uint texels[16];
  bc1_fetch(image, row_bytes, width, height, block_x, block_y, texels);
  const Bc1Words words = bc1_encode_block(texels, &settings, tables, tail, BC1_GROUP);
  out[(size_t)block_y * across + block_x] = (uint2)(words.colors, words.selectors);
}

uint bc1_texel(Bc1Color c) {
  return (uint)c.r | ((uint)c.g << 8) | ((uint)c.b << 16) | 0xFF000000u;
}

__kernel __attribute__((reqd_work_group_size(BC1_GROUP, 1, 1)))
void bc1_decode(__global const uint2* restrict blocks, uint row_bytes, uint width, uint height,
                int rounding, __global uchar* restrict image) {
  const uint block_x = get_global_id(0);
  const uint block_y = get_global_id(1);
  const uint across = (width + 3u) / 4u;
  if (block_x >= across) {
    return;
  }
  const uint2 words = blocks[(size_t)block_y * across + block_x];
  const int color0 = (int)(words.x & 0xFFFFu), color1 = (int)(words.x >> 16);
  const Bc1Color a = bc1_unpack(color0), b = bc1_unpack(color1);
  const int four = color0 > color1;
  const uint entry0 = bc1_texel(bc1_end(rounding, a));
  const uint entry1 = bc1_texel(bc1_end(rounding, b));
  const uint entry2 = bc1_texel(four ? bc1_third(rounding, a, b) : bc1_half(rounding, a, b));
  const uint entry3 = four ? bc1_texel(bc1_third(rounding, b, a)) : 0u;
  for (uint i = 0u; i < 16u; ++i) {
    const uint x = 4u * block_x + i % 4u, y = 4u * block_y + i / 4u;
    const uint selector = (words.y >> (2u * i)) & 3u;
    const uint low = (selector & 1u) != 0u ? entry1 : entry0;
    const uint high = (selector & 1u) != 0u ? entry3 : entry2;
    if (x < width && y < height) {
      *(__global uint*)(image + (size_t)y * row_bytes + 4u * x) =
          (selector & 2u) != 0u ? high : low;
    }
  }
}

#endif
