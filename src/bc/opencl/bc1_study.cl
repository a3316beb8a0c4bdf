// LSpiro's first step with sixteen work-items per block and the block in local memory, as the published
// GPU version has it, in all the variants that its measurements compare. Comes after
// bc1_methods.cl. The product's kernel (bc1_kernels.cl) has a work-item per block instead.
//
// STUDY_BLOCKS   blocks of a work-group
// STUDY_SORT     0 insertion sort by one work-item per channel, 1 ranks, 2 bit masks and popcounts
// STUDY_LAYOUT   local memory: 0 as in the image (RGBA), 1 RGBA rotated by the texel's number so that
//                banks differ, 2 without alpha, 3 with a word of padding
// STUDY_LOOP     ranks: 0 one channel after the other, 1 all channels in one loop
#define STUDY_STRIDE (STUDY_LAYOUT == 2 ? 3 : (STUDY_LAYOUT == 3 ? 5 : 4))
#if STUDY_LAYOUT == 1
#define STUDY_AT(i, c) (4 * (i) + (((c) + (i) / 8) & 3))
#else
#define STUDY_AT(i, c) (STUDY_STRIDE * (i) + (c))
#endif

// Local memory of one block.
typedef struct {
  int value[16 * 5];   // reduced to 5, 6, 5 bits
  int first_pass[48];  // ranks: elements at their ranks; insertion: the sorted array
  int sorted[48];
  int count[3];
  uint mask[4];  // red, green below 32, green from 32 on, blue
  int moment[6];
  int sum[3];
  int low[3], high[3];
  int ends[2];
  uint step[16];
} StudyBlock;

void study_load(__global const uchar* image, uint row_bytes, uint across, uint block, int item,
                __local StudyBlock* local_block, int* color) {
  const uint x = 4u * (block % across) + (uint)(item % 4);
  const uint y = 4u * (block / across) + (uint)(item / 4);
  const uint texel = *(__global const uint*)(image + (size_t)y * row_bytes + 4u * x);
  color[0] = (int)(texel & 255u);
  color[1] = (int)((texel >> 8) & 255u);
  color[2] = (int)((texel >> 16) & 255u);
  local_block->value[STUDY_AT(item, 0)] = bc1_quantize(color[0] << 6, 31);
  local_block->value[STUDY_AT(item, 1)] = bc1_quantize(color[1] << 6, 63);
  local_block->value[STUDY_AT(item, 2)] = bc1_quantize(color[2] << 6, 31);
  if (item < 4) {
    local_block->mask[item] = 0u;
  }
}

// One work-item per channel puts values into a sorted array, one after the other.
void study_insertion(int item, __local StudyBlock* block) {
  if (item < 3) {
    int count = 0;
    for (int i = 0; i < 16; ++i) {
      const int v = block->value[STUDY_AT(i, item)];
      int at = 0;
      while (at < count && block->sorted[16 * item + at] < v) {
        ++at;
      }
      if (at == count || block->sorted[16 * item + at] != v) {
        for (int k = count; k > at; --k) {
          block->sorted[16 * item + k] = block->sorted[16 * item + k - 1];
        }
        block->sorted[16 * item + at] = v;
        ++count;
      }
    }
    block->count[item] = count;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Two passes: equal values meet at their rank in the first, gaps close in the second. No branches.
void study_ranks(int item, __local StudyBlock* block) {
  for (int c = 0; c < 3; ++c) {
    block->first_pass[16 * c + item] = 255;
    block->count[c] = 16;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int rank[3] = {0, 0, 0};
#if STUDY_LOOP == 0
  for (int c = 0; c < 3; ++c) {
    const int mine = block->value[STUDY_AT(item, c)];
    for (int i = 0; i < 16; ++i) {
      rank[c] += block->value[STUDY_AT(i, c)] < mine;
    }
  }
#else
  const int r = block->value[STUDY_AT(item, 0)];
  const int g = block->value[STUDY_AT(item, 1)];
  const int b = block->value[STUDY_AT(item, 2)];
  for (int i = 0; i < 16; ++i) {
    rank[0] += block->value[STUDY_AT(i, 0)] < r;
    rank[1] += block->value[STUDY_AT(i, 1)] < g;
    rank[2] += block->value[STUDY_AT(i, 2)] < b;
  }
#endif
  for (int c = 0; c < 3; ++c) {
    block->first_pass[16 * c + rank[c]] = block->value[STUDY_AT(item, c)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int c = 0; c < 3; ++c) {
    const int mine = block->first_pass[16 * c + item];
    int place = 0;
    for (int i = 0; i < 16; ++i) {
      place += block->first_pass[16 * c + i] < mine;
    }
    block->sorted[16 * c + place] = mine;
    // Gaps hold 255, and their place tells how many values there are.
    if (mine == 255) {
      block->count[c] = place;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Values become bits; the sorted array is what the masks list.
void study_masks(int item, __local StudyBlock* block) {
  barrier(CLK_LOCAL_MEM_FENCE);
  const int g = block->value[STUDY_AT(item, 1)];
  atomic_or(&block->mask[0], 1u << block->value[STUDY_AT(item, 0)]);
  atomic_or(&block->mask[g < 32 ? 1 : 2], 1u << (g & 31));
  atomic_or(&block->mask[3], 1u << block->value[STUDY_AT(item, 2)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int c = 0; c < 3; ++c) {
    const int v = block->value[STUDY_AT(item, c)];
    const uint low = c == 0 ? block->mask[0] : (c == 1 ? block->mask[1] : block->mask[3]);
    const uint high = c == 1 ? block->mask[2] : 0u;
    const uint below = (1u << (v & 31)) - 1u;
    const int rank = v < 32 ? (int)popcount(low & below)
                            : (int)popcount(low) + (int)popcount(high & below);
    block->sorted[16 * c + rank] = v;
    block->count[c] = (int)(popcount(low) + popcount(high));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Six work-items add up products, three regress; the first one packs the ends.
void study_ends(int item, const int* color, __local StudyBlock* block, BC1_TABLE tables) {
  // The sorted values are no longer needed where the colours go.
  __local int* colors = block->first_pass;
  for (int c = 0; c < 3; ++c) {
    colors[16 * c + item] = color[c];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 6) {
    const int a = item < 3 ? 0 : (item < 5 ? 1 : 2);
    const int b = item < 3 ? item : (item < 5 ? item - 2 : 2);
    int products = 0, sum_a = 0, sum_b = 0;
    for (int i = 0; i < 16; ++i) {
      const int u = colors[16 * a + i], v = colors[16 * b + i];
      products += u * v;
      sum_a += u;
      sum_b += v;
    }
    block->moment[item] = 16 * products - sum_a * sum_b;
  } else if (item >= 8 && item < 11) {
    const int c = item - 8;
    const int n = block->count[c];
    int value_sum = 0, rank_value_sum = 0;
    for (int i = 0; i < n; ++i) {
      value_sum += block->sorted[16 * c + i];
      rank_value_sum += i * block->sorted[16 * c + i];
    }
    const Bc1Line line = bc1_line(n, value_sum, rank_value_sum, c == 1 ? 63 : 31, tables);
    block->low[c] = line.low;
    block->high[c] = line.high;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    const Bc1Moments m = {block->moment[0], block->moment[1], block->moment[2],
                          block->moment[3], block->moment[4], block->moment[5]};
    const Bc1Color row = bc1_widest_row(m);
    const Bc1Color first = {row.r < 0 ? block->low[0] : block->high[0],
                            row.g < 0 ? block->low[1] : block->high[1],
                            row.b < 0 ? block->low[2] : block->high[2]};
    const Bc1Color second = {row.r < 0 ? block->high[0] : block->low[0],
                             row.g < 0 ? block->high[1] : block->low[1],
                             row.b < 0 ? block->high[2] : block->low[2]};
    block->ends[0] = bc1_pack(first);
    block->ends[1] = bc1_pack(second);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Each work-item finds its texel's place, the first one writes the block.
void study_pack(int item, const int* color, __local StudyBlock* block, __global uint2* out) {
  const Bc1Color a = bc1_unpack(block->ends[0]), b = bc1_unpack(block->ends[1]);
  int best = -0x7FFFFFFF;
  for (int k = 0; k < 4; ++k) {
    const Bc1Color entry = k == 0   ? bc1_expand(a)
                           : k == 3 ? bc1_expand(b)
                           : k == 1 ? bc1_third(0, a, b)
                                    : bc1_third(0, b, a);
    const int score = 8 * (color[0] * entry.r + color[1] * entry.g + color[2] * entry.b) -
                      4 * (entry.r * entry.r + entry.g * entry.g + entry.b * entry.b) + k;
    best = bc1_max(best, score);
  }
  block->step[item] = (uint)(best & 3) << (2 * item);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    uint steps = 0u;
    for (int i = 0; i < 16; ++i) {
      steps |= block->step[i];
    }
    const Bc1Words words = bc1_four_color_words(block->ends[0], block->ends[1], steps);
    *out = (uint2)(words.colors, words.selectors);
  }
}

void study_step1(int item, const int* color, __local StudyBlock* block, BC1_TABLE tables) {
  barrier(CLK_LOCAL_MEM_FENCE);
#if STUDY_SORT == 0
  study_insertion(item, block);
#elif STUDY_SORT == 1
  study_ranks(item, block);
#else
  study_masks(item, block);
#endif
  study_ends(item, color, block, tables);
}

#define STUDY_PROLOGUE                                                        \
  __local StudyBlock blocks[STUDY_BLOCKS];                                    \
  const int item = (int)get_local_id(0) % 16;                                 \
  __local StudyBlock* block = blocks + get_local_id(0) / 16;                  \
  const uint number = min((uint)(get_global_id(0) / 16), across * down - 1u); \
  int color[3]

// Step 1 alone: the two ends of each block go to global memory.
__kernel void study_ends_only(__global const uchar* restrict image, uint row_bytes, uint across,
                              uint down, __global const int* restrict tables,
                              __global uint2* restrict ends) {
  STUDY_PROLOGUE;
  study_load(image, row_bytes, across, number, item, block, color);
  study_step1(item, color, block, tables);
  if (item == 0) {
    ends[number] = (uint2)((uint)block->ends[0], (uint)block->ends[1]);
  }
}

// Packing alone: the ends come from global memory, and so do the texels, again.
__kernel void study_pack_only(__global const uchar* restrict image, uint row_bytes, uint across,
                              uint down, __global const uint2* restrict ends,
                              __global uint2* restrict out) {
  STUDY_PROLOGUE;
  study_load(image, row_bytes, across, number, item, block, color);
  if (item == 0) {
    block->ends[0] = (int)ends[number].x;
    block->ends[1] = (int)ends[number].y;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  study_pack(item, color, block, out + number);
}

// Both in one kernel.
__kernel void study_fused(__global const uchar* restrict image, uint row_bytes, uint across,
                          uint down, __global const int* restrict tables,
                          __global uint2* restrict out) {
  STUDY_PROLOGUE;
  study_load(image, row_bytes, across, number, item, block, color);
  study_step1(item, color, block, tables);
  study_pack(item, color, block, out + number);
}
