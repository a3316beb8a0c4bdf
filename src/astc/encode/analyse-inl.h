// Stage 2: what the texels of a block have in common (one colour, grey,
// opaque), and along which line they lie: the leading eigenvector of their
// covariances.
#if defined(TESSERA_ASTC_ANALYSE_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_ANALYSE_INL_H_
#undef TESSERA_ASTC_ANALYSE_INL_H_
#else
#define TESSERA_ASTC_ANALYSE_INL_H_
#endif

#include <utility>

#include "astc/encode/presets.h"
#include "astc/encode/slot_values-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The texels of lane_count() blocks as floats, with channels scaled by the roots of what their
// errors count, so that all later distances are weighted.
template <bool kPacked>
class ScaledTexels;

template <>
class ScaledTexels<false> {
 public:
  TESSERA_INLINE F32 at(unsigned channel, unsigned t) const { return values_[channel][t]; }
  TESSERA_INLINE void scale(unsigned channel, F32 factor, unsigned texel_count) {
    for (unsigned t = 0; t < texel_count; ++t) {
      values_[channel][t] = values_[channel][t] * factor;
    }
  }
  template <class Value>
  TESSERA_INLINE void set(unsigned t, const Value& /*texel*/, const F32 channels[4]) {
    for (unsigned c = 0; c < 4; ++c) {
      values_[c][t] = channels[c];
    }
  }
  TESSERA_INLINE void set_alpha(LaneMask where, F32 alpha, unsigned texel_count) {
    for (unsigned t = 0; t < texel_count; ++t) {
      values_[3][t] = lanes::select(where, alpha, values_[3][t]);
    }
  }

 private:
  F32 values_[4][kLaneTexels];
};

// Converted and scaled at each use. A factor of 1 changes nothing.
template <>
class ScaledTexels<true> {
 public:
  TESSERA_INLINE F32 at(unsigned channel, unsigned t) const {
    return values_.at(channel, t) * factors_[channel];
  }
  TESSERA_INLINE void scale(unsigned channel, F32 factor, unsigned /*texel_count*/) {
    factors_[channel] = factor;
  }
  TESSERA_INLINE void set(unsigned t, I32 texel, const F32 channels[4]) {
    values_.set(t, texel, [&](unsigned c) { return channels[c]; });
  }

 private:
  SlotValues<4, true> values_;
  F32 factors_[4] = {all_lanes_f32(1), all_lanes_f32(1), all_lanes_f32(1), all_lanes_f32(1)};
};

using TexelPlanes = ScaledTexels<kPacksPlanes>;

// Which texels count. Lanes whose block lies wholly inside the picture give the
// same results with and without the test, so it is made only where some block
// needs it.
struct Inside {
  bool test;
  KernelSize size;
  I32 x, y, z;  // z counts in 3D alone

  TESSERA_INLINE F32 keep(unsigned texel, F32 value) const {
    return test ? lanes::zero_unless(mask(texel), value) : value;
  }
  TESSERA_INLINE LaneMask mask(unsigned texel) const {
    const unsigned row = texel / size.width;
    const LaneMask in_row = x > all_lanes(static_cast<int32_t>(texel % size.width));
    if (!size.is_3d()) {
      return in_row & (y > all_lanes(static_cast<int32_t>(row)));
    }
    return in_row & (y > all_lanes(static_cast<int32_t>(row % size.height))) &
           (z > all_lanes(static_cast<int32_t>(row / size.height)));
  }
  TESSERA_INLINE F32 count() const { return lanes::to_f32(size.is_3d() ? x * y * z : x * y); }
};

// Of blocks of the chunk; load(numbers) loads theirs.
template <class Load>
TESSERA_INLINE Inside inside_of_chunk(const Chunk& chunk, KernelSize size, const Load& load) {
  return {chunk.has_edges, size, load(chunk.inside_x), load(chunk.inside_y),
          size.is_3d() ? load(chunk.inside_z) : all_lanes(1)};
}

// Unpacks texels; for_each(work) calls work(t, texel t of each lane's block).
template <class Texels, class ForEach, class Planes>
TESSERA_INLINE BlockTraits load_planes(const ForEach& for_each, Planes& planes) {
  using Lanes = LaneTexels<Texels>;
  typename Lanes::Traits traits;
  unsigned texel_count = 0;
  for_each([&](unsigned i, typename Lanes::Value texel) {
    traits.add(texel);
    F32 channels[4];
    Lanes::channels(texel, channels);
    planes.set(i, texel, channels);
    ++texel_count;
  });
  const BlockTraits found = traits.traits();
  // Beside blocks with alpha, an opaque one's alpha is looked at, too. Devices have one block in a
  // vector.
  if constexpr (!kForDevice) {
    const LaneMask has_steps = traits.has_steps(found);
    if (lanes::any_lane(has_steps)) {
      planes.set_alpha(has_steps, all_lanes_f32(Lanes::kMost), texel_count);
    }
  }
  return found;
}

TESSERA_INLINE void weigh_planes(const EncodeSettings& settings, unsigned texel_count,
                                 TexelPlanes& planes) {
  if (!settings.weighs_channels()) {
    return;
  }
  for (unsigned i = 0; i < 4; ++i) {
    const F32 root = lanes::square_root(all_lanes_f32(settings.channel_weights[i]));
    planes.scale(i, root, texel_count);
  }
}

// Sums over texels of the products of deviations from the mean: a symmetric
// matrix.
struct Covariances {
  F32 at[4][4];
};

// Sums over texels of what they differ by from the first one, and of the products of that, at
// [i·(i+1)/2 + k]. Small differences keep the sums exact.
template <unsigned kChannels>
struct DifferenceSums {
  F32 of[kChannels];
  F32 product[kChannels * (kChannels + 1) / 2];
};

// Indices are known early, so that the compiler keeps the sums in registers.
template <unsigned... kIndex>
TESSERA_INLINE void add_products(const F32* x, F32* product,
                                 std::integer_sequence<unsigned, kIndex...>) {
  constexpr unsigned kRow[] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3};
  constexpr unsigned kColumn[] = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3};
  ((product[kIndex] = product[kIndex] + x[kRow[kIndex]] * x[kColumn[kIndex]]), ...);
}

// kTest: some texels do not count. (A test in the loop makes g++ keep the sums in memory.)
template <unsigned kChannels, bool kTest>
TESSERA_INLINE void sum_differences(const TexelPlanes& planes, unsigned texel_count,
                                    const Inside& inside, DifferenceSums<kChannels>& result) {
  constexpr unsigned kProducts = kChannels * (kChannels + 1) / 2;
  F32 first[kChannels], sum[kChannels], product[kProducts];
  for (unsigned i = 0; i < kChannels; ++i) {
    first[i] = planes.at(i, 0);
    sum[i] = all_lanes_f32(0);
  }
  for (F32& p : product) {
    p = all_lanes_f32(0);
  }
  for (unsigned t = 0; t < texel_count; ++t) {
    F32 x[kChannels];
    for (unsigned i = 0; i < kChannels; ++i) {
      x[i] = planes.at(i, t) - first[i];
      if constexpr (kTest) {
        x[i] = lanes::zero_unless(inside.mask(t), x[i]);
      }
      sum[i] = sum[i] + x[i];
    }
    add_products(x, product, std::make_integer_sequence<unsigned, kProducts>());
  }
  for (unsigned i = 0; i < kChannels; ++i) {
    result.of[i] = sum[i];
  }
  for (unsigned i = 0; i < kProducts; ++i) {
    result.product[i] = product[i];
  }
}

// Also tells the mean colour.
template <unsigned kChannels>
TESSERA_INLINE Covariances covariances(const TexelPlanes& planes, unsigned texel_count,
                                       const Inside& inside, F32 texels_inside, F32 mean[4]) {
  DifferenceSums<kChannels> sums;
  if (inside.test) {
    sum_differences<kChannels, true>(planes, texel_count, inside, sums);
  } else {
    sum_differences<kChannels, false>(planes, texel_count, inside, sums);
  }
  Covariances c;
  for (unsigned i = kChannels; i < 4; ++i) {
    for (unsigned k = 0; k <= i; ++k) {
      c.at[i][k] = c.at[k][i] = all_lanes_f32(0);
    }
  }
  const F32 per_texel = all_lanes_f32(1) / texels_inside;
  for (unsigned i = 0; i < kChannels; ++i) {
    mean[i] = sums.of[i] * per_texel;
    for (unsigned k = 0; k <= i; ++k) {
      c.at[i][k] = sums.product[i * (i + 1) / 2 + k] - mean[i] * sums.of[k];
      c.at[k][i] = c.at[i][k];
    }
    mean[i] = mean[i] + planes.at(i, 0);
  }
  return c;
}

TESSERA_INLINE void store_covariances(const Covariances& c, size_t block, Chunk& chunk) {
  // All ten: other blocks of the chunk may have an alpha that varies.
  for (unsigned i = 0, row = 0; i < 4; row += ++i) {
    for (unsigned k = 0; k <= i; ++k) {
      lanes::store(c.at[i][k], chunk.covariance(row + k) + block);
    }
  }
}

TESSERA_INLINE Covariances gather_covariances(I32 block, const Chunk& chunk) {
  Covariances c;
  for (unsigned i = 0, row = 0; i < 4; row += ++i) {
    for (unsigned k = 0; k <= i; ++k) {
      c.at[i][k] = lanes::gather(chunk.covariance(row + k), block);
      c.at[k][i] = c.at[i][k];
    }
  }
  return c;
}

TESSERA_INLINE Covariances without_channel(const Covariances& c, I32 channel) {
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
TESSERA_NOINLINE Axis principal_axis(const Covariances& c) {
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

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_ANALYSE_INL_H_
