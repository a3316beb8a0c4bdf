// The kernels of OpenCL: a work-item per block. The host defines BC1_SETTINGS, the initialiser of a
// Bc1Settings, so that the compiler sees constants; BC1_GROUP, the work-items of a group; and
// BC1_ALIGNED where all rows start at multiples of 16 bytes. Comes after bc1_encode_block.cl.

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
  uint entry[4];
  bc1_palette(words.x, rounding, entry);
  for (uint i = 0u; i < 16u; ++i) {
    const uint x = 4u * block_x + i % 4u, y = 4u * block_y + i / 4u;
    if (x < width && y < height) {
      *(__global uint*)(image + (size_t)y * row_bytes + 4u * x) =
          bc1_pick(entry, words.y, i);
    }
  }
}
