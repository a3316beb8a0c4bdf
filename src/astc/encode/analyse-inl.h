// Second stage: what the texels of a block have in common (one colour, grey,
// opaque), and along which line they lie: the leading eigenvector of their
// covariances.
#if defined(TESSERA_ASTC_ANALYSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_ANALYSE_INL_H_
#undef TESSERA_ASTC_ANALYSE_INL_H_
#else
#define TESSERA_ASTC_ANALYSE_INL_H_
#endif

#include "astc/encode/load_blocks-inl.h"
#include "astc/encode/presets.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

// The texels of lane_count() blocks as floats.
struct TexelPlanes {
  F32 channel[4][kMaxTexels2d];
};

// Which texels count. Lanes whose block lies wholly inside the picture give the
// same results with and without the test, so it is made only where some block
// needs it.
struct Inside {
  bool test;
  I32 x, y;
  unsigned block_width;

  HWY_INLINE F32 keep(unsigned texel, F32 value) const {
    return test ? lanes::zero_unless(mask(texel), value) : value;
  }
  HWY_INLINE LaneMask mask(unsigned texel) const {
    return (x > all_lanes(static_cast<int32_t>(texel % block_width))) &
           (y > all_lanes(static_cast<int32_t>(texel / block_width)));
  }
};

// Truths about all texels of a block.
struct BlockTraits {
  LaneMask constant, grey, opaque;
};

// Unpacks texels; texel(i) gives texel i of each lane's block.
template <class Texel>
HWY_INLINE BlockTraits load_planes(const Texel& texel, unsigned texel_count, TexelPlanes& planes) {
  const I32 low_byte = all_lanes(0xFF);
  const I32 first = texel(0);
  I32 differences = all_lanes(0);  // from the first texel
  I32 colorfulness = all_lanes(0);
  I32 common = first;
  for (unsigned i = 0; i < texel_count; ++i) {
    const I32 rgba = texel(i);
    differences = differences | (rgba ^ first);
    colorfulness = colorfulness | (rgba ^ lanes::shift_right_logical<8>(rgba));
    common = common & rgba;
    planes.channel[0][i] = lanes::to_f32(rgba & low_byte);
    planes.channel[1][i] = lanes::to_f32(lanes::shift_right_logical<8>(rgba) & low_byte);
    planes.channel[2][i] = lanes::to_f32(lanes::shift_right_logical<16>(rgba) & low_byte);
    planes.channel[3][i] = lanes::to_f32(lanes::shift_right_logical<24>(rgba));
  }
  return {differences == all_lanes(0), (colorfulness & all_lanes(0xFFFF)) == all_lanes(0),
          lanes::shift_right_logical<24>(common) == low_byte};
}

// Scales channels by the roots of what their errors count, so that all later distances are
// weighted.
HWY_INLINE void weigh_planes(const EncodeSettings& settings, unsigned texel_count,
                             TexelPlanes& planes) {
  if (!settings.weighs_channels()) {
    return;
  }
  for (unsigned i = 0; i < 4; ++i) {
    const F32 root = lanes::square_root(all_lanes_f32(settings.channel_weights[i]));
    for (unsigned t = 0; t < texel_count; ++t) {
      planes.channel[i][t] = planes.channel[i][t] * root;
    }
  }
}

// Sums over texels of the products of deviations from the mean: a symmetric
// matrix.
struct Covariances {
  F32 at[4][4];
};

// Also tells the mean colour.
template <unsigned kChannels>
HWY_INLINE Covariances covariances(const TexelPlanes& planes, unsigned texel_count,
                                   const Inside& inside, F32 texels_inside, F32 mean[4]) {
  F32 sum[4];
  Covariances c;
  const F32 zero = all_lanes_f32(0);
  for (unsigned i = 0; i < 4; ++i) {
    sum[i] = zero;
    for (unsigned k = 0; k < 4; ++k) {
      c.at[i][k] = zero;
    }
  }
  for (unsigned t = 0; t < texel_count; ++t) {
    F32 x[4];
    // Differences from a texel of the block are small, which keeps the sums
    // exact.
    for (unsigned i = 0; i < kChannels; ++i) {
      x[i] = inside.keep(t, planes.channel[i][t] - planes.channel[i][0]);
      sum[i] = sum[i] + x[i];
      for (unsigned k = 0; k <= i; ++k) {
        c.at[i][k] = c.at[i][k] + x[i] * x[k];
      }
    }
  }
  const F32 per_texel = all_lanes_f32(1) / texels_inside;
  for (unsigned i = 0; i < kChannels; ++i) {
    mean[i] = sum[i] * per_texel;
    for (unsigned k = 0; k <= i; ++k) {
      c.at[i][k] = c.at[i][k] - mean[i] * sum[k];
      c.at[k][i] = c.at[i][k];
    }
    mean[i] = mean[i] + planes.channel[i][0];
  }
  return c;
}

HWY_INLINE void store_covariances(const Covariances& c, size_t block, Chunk& chunk) {
  // All ten: other blocks of the chunk may have an alpha that varies.
  for (unsigned i = 0, row = 0; i < 4; row += ++i) {
    for (unsigned k = 0; k <= i; ++k) {
      lanes::store(c.at[i][k], chunk.covariance[row + k].data() + block);
    }
  }
}

HWY_INLINE Covariances gather_covariances(I32 block, const Chunk& chunk) {
  Covariances c;
  for (unsigned i = 0, row = 0; i < 4; row += ++i) {
    for (unsigned k = 0; k <= i; ++k) {
      c.at[i][k] = lanes::gather(chunk.covariance[row + k].data(), block);
      c.at[k][i] = c.at[i][k];
    }
  }
  return c;
}

HWY_INLINE Covariances without_channel(const Covariances& c, I32 channel) {
  Covariances rest = c;
  for (unsigned i = 0; i < 4; ++i) {
    const LaneMask is_out = channel == all_lanes(static_cast<int32_t>(i));
    for (unsigned k = 0; k < 4; ++k) {
      rest.at[i][k] = lanes::select(is_out, all_lanes_f32(0), rest.at[i][k]);
      rest.at[k][i] = lanes::select(is_out, all_lanes_f32(0), rest.at[k][i]);
    }
  }
  return rest;
}

struct Axis {
  F32 direction[4];  // of length 1
  F32 energy;        // sum over texels of the squared distance from the mean along the
                     // axis
};

// The leading eigenvector of the first kChannels channels by power iteration,
// from the column of the largest variance (another start may be orthogonal to
// the result). A matrix of zeros gives the first channel's direction.
template <unsigned kChannels>
HWY_NOINLINE Axis principal_axis(const Covariances& c) {
  constexpr unsigned kIterations = 6;
  F32 largest = c.at[0][0], trace = c.at[0][0];
  F32 v[4];
  for (unsigned k = 0; k < kChannels; ++k) {
    v[k] = c.at[k][0];
  }
  for (unsigned i = 1; i < kChannels; ++i) {
    const LaneMask larger = c.at[i][i] > largest;
    largest = lanes::max(largest, c.at[i][i]);
    trace = trace + c.at[i][i];
    for (unsigned k = 0; k < kChannels; ++k) {
      v[k] = lanes::select(larger, c.at[i][k], v[k]);
    }
  }
  const LaneMask flat = !(trace > all_lanes_f32(0));
  const F32 scale = all_lanes_f32(1) / lanes::select(flat, all_lanes_f32(1), trace);
  F32 w[4];
  const auto multiply = [&](F32 factor) {
    for (unsigned i = 0; i < kChannels; ++i) {
      F32 sum = c.at[i][0] * v[0];
      for (unsigned k = 1; k < kChannels; ++k) {
        sum = sum + c.at[i][k] * v[k];
      }
      w[i] = sum * factor;
    }
  };
  for (unsigned step = 0; step < kIterations; ++step) {
    multiply(scale);
    for (unsigned i = 0; i < kChannels; ++i) {
      v[i] = w[i];
    }
  }
  F32 length = v[0] * v[0];
  for (unsigned i = 1; i < kChannels; ++i) {
    length = length + v[i] * v[i];
  }
  const LaneMask usable = length > all_lanes_f32(0);
  const F32 shorten =
      all_lanes_f32(1) / lanes::square_root(lanes::select(usable, length, all_lanes_f32(1)));
  Axis axis;
  for (unsigned i = 0; i < 4; ++i) {
    const F32 fallback = all_lanes_f32(i == 0 ? 1.0F : 0.0F);
    v[i] = i < kChannels ? lanes::select(usable, v[i] * shorten, fallback) : all_lanes_f32(0);
    axis.direction[i] = v[i];
  }
  multiply(all_lanes_f32(1));
  axis.energy = v[0] * w[0];
  for (unsigned i = 1; i < kChannels; ++i) {
    axis.energy = axis.energy + v[i] * w[i];
  }
  return axis;
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_ASTC_ANALYSE_INL_H_
