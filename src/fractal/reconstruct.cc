// Turns leaves into pixels, compiled for every instruction set.
#include "fractal/reconstruct.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "fractal/reconstruct.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "fractal/reconstruct-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::fractal::TESSERA_TARGET {

constexpr uint32_t kMaxDctBlock = 32;

TESSERA_INLINE uint8_t to_pixel(int16_t sample) {
  // Samples are not negative, which the compiler cannot know.
  return static_cast<uint8_t>(static_cast<uint16_t>(sample + kSampleUnit / 2) / kSampleUnit);
}

// A block of side² samples, row after row.
TESSERA_INLINE void store_pixels(const int16_t* TESSERA_RESTRICT block, uint32_t log2_side,
                                 uint8_t* TESSERA_RESTRICT out, size_t stride) {
  with_fixed_size(log2_side, [&](auto fixed) TESSERA_LAMBDA {
    constexpr uint32_t kLog2Side = decltype(fixed)::value;
    const uint32_t side = 1u << (kLog2Side != 0 ? kLog2Side : log2_side);
    for (uint32_t y = 0; y < side; ++y) {
      const int16_t* TESSERA_RESTRICT from = block + size_t{y} * side;
      uint8_t* TESSERA_RESTRICT to = out + y * stride;
      for (uint32_t x = 0; x < side; ++x) {
        to[x] = to_pixel(from[x]);
      }
    }
  });
}

TESSERA_INLINE void fill(int16_t* first, size_t stride, uint32_t side, int16_t value) {
  for (uint32_t y = 0; y < side; ++y) {
    std::fill_n(first + y * stride, side, value);
  }
}

// Leaves that need no passes, at full size into `pixels` (where wanted) and at half size into
// `half`; fractal leaves start from their means.
void render_still_leaves(const LeafList& list, Plane<int16_t>& half, Plane<uint8_t>* pixels) {
  TESSERA_ALIGN int16_t block[kMaxDctBlock * kMaxDctBlock];
  for (const Leaf& leaf : list.leaves) {
    const uint32_t side = leaf.side();
    if (leaf.kind != LeafKind::kDct) {
      const int16_t mean = clamp_sample(leaf.mean);
      fill(half.row(leaf.y / 2u) + leaf.x / 2u, half.width, side / 2, mean);
      if (pixels != nullptr && leaf.kind == LeafKind::kFlat) {
        for (uint32_t y = 0; y < side; ++y) {
          std::fill_n(pixels->row(leaf.y + y) + leaf.x, side, to_pixel(mean));
        }
      }
      continue;
    }
    render_dct(leaf, list, leaf.log2_side, 1, block, side);
    shrink_block(block, leaf, half);
    if (pixels != nullptr) {
      store_pixels(block, leaf.log2_side, pixels->row(leaf.y) + leaf.x, pixels->width);
    }
  }
}

void iterate(const LeafList& list, uint32_t iterations, Plane<int16_t>& half) {
  std::vector<int16_t> scratch;
  std::vector<Leaf> moving;  // those that change from pass to pass
  moving.reserve(list.leaves.size());
  for (const Leaf& leaf : list.leaves) {
    if (leaf.kind == LeafKind::kFractal) {
      moving.push_back(leaf);
    }
  }
  for (uint32_t pass = 0; pass < iterations; ++pass) {
    for (const Leaf& leaf : moving) {
      iterate_leaf(leaf, half, scratch);
    }
  }
}

void reconstruct_half_on_target(const LeafList& list, uint32_t iterations, Plane<int16_t>& half) {
  render_still_leaves(list, half, nullptr);
  iterate(list, iterations, half);
}

void reconstruct_on_target(const LeafList& list, uint32_t iterations, Plane<uint8_t>& pixels) {
  Plane<int16_t> half(list.width / 2, list.height / 2);
  render_still_leaves(list, half, &pixels);
  iterate(list, iterations, half);
  for (const Leaf& leaf : list.leaves) {
    if (leaf.kind == LeafKind::kFractal) {
      uint8_t* TESSERA_RESTRICT out = pixels.row(leaf.y) + leaf.x;
      const size_t stride = pixels.width;
      paint_fractal(leaf, half, 0, [&](uint32_t x, uint32_t y, int16_t sample) TESSERA_LAMBDA {
        out[y * stride + x] = to_pixel(sample);
      });
    }
  }
}

// Twice the size: full-size samples first, from them once more.
void reconstruct_double_on_target(const LeafList& list, uint32_t iterations,
                                  Plane<uint8_t>& pixels) {
  Plane<int16_t> half(list.width / 2, list.height / 2);
  reconstruct_half_on_target(list, iterations, half);
  Plane<int16_t> full(list.width, list.height);
  for (const Leaf& leaf : list.leaves) {
    int16_t* out = full.row(leaf.y) + leaf.x;
    const size_t stride = full.width;
    if (leaf.kind == LeafKind::kFlat) {
      fill(out, stride, leaf.side(), clamp_sample(leaf.mean));
    } else if (leaf.kind == LeafKind::kDct) {
      render_dct(leaf, list, leaf.log2_side, 1, out, stride);
    } else {
      paint_fractal(leaf, half, 0, [&](uint32_t x, uint32_t y, int16_t sample) TESSERA_LAMBDA {
        out[y * stride + x] = sample;
      });
    }
  }
  std::vector<int16_t> block;
  for (const Leaf& leaf : list.leaves) {
    const uint32_t side = leaf.side() * 2;
    uint8_t* out = pixels.row(leaf.y * 2u) + leaf.x * 2u;
    const size_t stride = pixels.width;
    if (leaf.kind == LeafKind::kFractal) {
      paint_fractal(leaf, full, 1, [&](uint32_t x, uint32_t y, int16_t sample) TESSERA_LAMBDA {
        out[y * stride + x] = to_pixel(sample);
      });
      continue;
    }
    block.assign(size_t{side} * side, clamp_sample(leaf.mean));
    if (leaf.kind == LeafKind::kDct) {
      render_dct(leaf, list, leaf.log2_side + 1u, 2, block.data(), side);
    }
    store_pixels(block.data(), leaf.log2_side + 1u, out, stride);
  }
}

}  // namespace tessera::fractal::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::fractal {

TESSERA_EXPORT(reconstruct_half_on_target);
TESSERA_EXPORT(reconstruct_on_target);
TESSERA_EXPORT(reconstruct_double_on_target);

Plane<int16_t> reconstruct_half(const LeafList& list, uint32_t iterations) {
  Plane<int16_t> half(list.width / 2, list.height / 2);
  TESSERA_DISPATCH(reconstruct_half_on_target)(list, iterations, half);
  return half;
}

Plane<uint8_t> reconstruct(const LeafList& list, const ReconstructOptions& options) {
  Plane<uint8_t> pixels(list.width * options.scale, list.height * options.scale);
  if (options.scale == 2) {
    TESSERA_DISPATCH(reconstruct_double_on_target)(list, options.iterations, pixels);
  } else {
    TESSERA_DISPATCH(reconstruct_on_target)(list, options.iterations, pixels);
  }
  return pixels;
}

}  // namespace tessera::fractal
#endif  // TESSERA_ONCE
