// Third stage: which block mode suits a block, by estimates in closed form. The
// squared error of a block is taken to be the sum of
//   - the distance of its texels from the line (one plane: from an axis through
//   all channels; two
//     planes: from an axis through all but one),
//   - the detail that a coarser weight grid cannot carry: the energy of the
//   higher frequencies of
//     the cosine transform of the texels' positions on the line,
//   - the rounding of the weights, which grows with the squared length of the
//   line,
//   - and the rounding of the endpoints.
// Cost: two small matrix products a plane, and a few operations a candidate.
#if defined(TESSERA_ASTC_RANK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_RANK_INL_H_
#undef TESSERA_ASTC_RANK_INL_H_
#else
#define TESSERA_ASTC_RANK_INL_H_
#endif

#include "astc/encode/analyse-inl.h"
#include "astc/encode/candidates.h"
#include "astc/encode/lines-inl.h"
#include "astc/encode/presets.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

// How the texels lie along the line of one plane.
struct PlaneShape {
  F32 squared_length;
  F32 lost[kMaxTexels2d];  // energy lost by a grid of (x, y): at index (y −
                           // 1)·block.x + x − 1
};

// coefficient[v][u] = Σ down[v][y] · across[u][x] · position[y][x]
HWY_INLINE void frequencies(const CandidateTable& table, BlockSize size, const F32* position,
                            F32* coefficient) {
  F32 rows[kMaxTexels2d];
  const LineLayout along_rows = {1, size.x}, along_columns = {size.x, 1};
  transform_lines(size.x, table.cosines_across(), size.x, size.y, position, along_rows, rows,
                  along_rows);
  transform_lines(size.y, table.cosines_down(), size.y, size.x, rows, along_columns, coefficient,
                  along_columns);
}

// Turns squared coefficients into what is lost by keeping the first x · y of
// them.
HWY_INLINE void lost_energies(BlockSize size, F32* energy) {
  const F32 zero = all_lanes_f32(0);
  for (unsigned v = 0; v < size.y; ++v) {
    F32 row = zero;
    for (unsigned u = 0; u < size.x; ++u) {
      row = row + energy[v * size.x + u] * energy[v * size.x + u];
      energy[v * size.x + u] = v == 0 ? row : row + energy[(v - 1) * size.x + u];
    }
  }
  const F32 all = energy[size.texel_count() - 1];
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    energy[i] = all - energy[i];
  }
}

HWY_INLINE void measure_shape(const CandidateTable& table, BlockSize size, const F32* position,
                              PlaneShape& shape) {
  F32 low = all_lanes_f32(1e30F), high = all_lanes_f32(-1e30F);
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    low = lanes::min(low, position[i]);
    high = lanes::max(high, position[i]);
  }
  shape.squared_length = (high - low) * (high - low);
  frequencies(table, size, position, shape.lost);
  lost_energies(size, shape.lost);
}

// Positions relative to the first texel, so that a flat block is exactly flat.
HWY_INLINE void project(const TexelPlanes& planes, unsigned texel_count, const F32 direction[4],
                        bool has_alpha, F32* position) {
  for (unsigned i = 0; i < texel_count; ++i) {
    F32 sum = (planes.channel[0][i] - planes.channel[0][0]) * direction[0];
    sum = sum + (planes.channel[1][i] - planes.channel[1][0]) * direction[1];
    sum = sum + (planes.channel[2][i] - planes.channel[2][0]) * direction[2];
    if (has_alpha) {
      sum = sum + (planes.channel[3][i] - planes.channel[3][0]) * direction[3];
    }
    position[i] = sum;
  }
}

struct Choice {
  F32 error;
  I32 list, candidate;
};

// What the estimate of a list of candidates starts from.
struct Estimate {
  F32 off_line;        // squared distances from the line
  F32 squared_length;  // times the number of texels
  const F32* lost1;
  const F32* lost2;  // null for one plane
  F32 color_values;  // channels times texels
};

HWY_INLINE void rank_candidates(const CandidateTable& table, BlockSize size, unsigned list,
                                const Estimate& estimate, LaneMask eligible, Choice& best) {
  const auto color_class = static_cast<ColorClass>(list / 2);
  const auto& candidates = table.candidates(color_class, list % 2 != 0);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& candidate = candidates[i];
    const WeightGrid& grid = table.grids()[candidate.grid];
    F32 error = estimate.off_line +
                estimate.squared_length * all_lanes_f32(candidate.weight_error) +
                estimate.color_values * all_lanes_f32(candidate.color_error);
    if (!grid.is_identity) {
      const unsigned slot = (grid.size.y - 1u) * size.x + grid.size.x - 1u;
      error = error + estimate.lost1[slot];
      if (estimate.lost2 != nullptr) {
        error = error + estimate.lost2[slot];
      }
    }
    const LaneMask better = (error < best.error) & eligible;
    best.error = lanes::select(better, error, best.error);
    best.list = lanes::select(better, all_lanes(static_cast<int32_t>(list)), best.list);
    best.candidate = lanes::select(better, all_lanes(static_cast<int32_t>(i)), best.candidate);
  }
}

// The channel best given a plane of its own: alpha where there is one, else the
// one without which the other two lie nearest to a line (their smaller
// eigenvalue).
HWY_INLINE I32 choose_plane2_channel(const Covariances& c, LaneMask opaque) {
  const auto smaller_eigenvalue = [&](unsigned i, unsigned k) {
    const F32 sum = c.at[i][i] + c.at[k][k];
    const F32 difference = c.at[i][i] - c.at[k][k];
    return sum -
           lanes::square_root(difference * difference + all_lanes_f32(4) * c.at[i][k] * c.at[i][k]);
  };
  const F32 without_red = smaller_eigenvalue(1, 2);
  const F32 without_green = smaller_eigenvalue(0, 2);
  const F32 without_blue = smaller_eigenvalue(0, 1);
  const LaneMask red_before_green = without_red < without_green;
  const I32 first = lanes::select(red_before_green, all_lanes(0), all_lanes(1));
  const I32 channel =
      lanes::select(without_blue < lanes::min(without_red, without_green), all_lanes(2), first);
  return lanes::select(opaque, channel, all_lanes(3));
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

HWY_INLINE void channel_positions(const TexelPlanes& planes, unsigned texel_count, I32 channel,
                                  F32* position) {
  const LaneMask is_green = channel == all_lanes(1), is_blue = channel == all_lanes(2),
                 is_alpha = channel == all_lanes(3);
  for (unsigned i = 0; i < texel_count; ++i) {
    F32 value = lanes::select(is_green, planes.channel[1][i], planes.channel[0][i]);
    value = lanes::select(is_blue, planes.channel[2][i], value);
    position[i] = lanes::select(is_alpha, planes.channel[3][i], value);
  }
}

// One group of lane_count() blocks on its way through analysis and ranking.
template <unsigned kChannels>
struct Ranking {
  const CandidateTable& table;
  BlockSize size;
  const TexelPlanes& planes;
  const BlockTraits& traits;
  F32 texels_inside;
  Covariances covariances;
  Choice best;

  HWY_INLINE LaneMask is_class(unsigned color_class) const {
    const LaneMask grey = (color_class & 2) != 0 ? !traits.grey : traits.grey;
    return grey & ((color_class & 1) != 0 ? !traits.opaque : traits.opaque) & !traits.constant;
  }

  HWY_INLINE void rank_lists(bool dual_plane, Estimate estimate, LaneMask eligible) {
    for (unsigned color_class = 0; color_class < kColorClassCount; ++color_class) {
      const LaneMask members = is_class(color_class) & eligible;
      if (!lanes::any_lane(members)) {
        continue;
      }
      // A stored luminance serves three channels.
      estimate.color_values = texels_inside * all_lanes_f32((color_class & 1) != 0 ? 4.0F : 3.0F);
      rank_candidates(table, size, 2 * color_class + (dual_plane ? 1 : 0), estimate, members, best);
    }
  }

  HWY_INLINE F32 trace() const {
    F32 sum = covariances.at[0][0];
    for (unsigned i = 1; i < kChannels; ++i) {
      sum = sum + covariances.at[i][i];
    }
    return sum;
  }

  HWY_INLINE Axis rank_one_plane() {
    const Axis axis = principal_axis<kChannels>(covariances);
    F32 position[kMaxTexels2d];
    project(planes, size.texel_count(), axis.direction, kChannels == 4, position);
    PlaneShape shape;
    measure_shape(table, size, position, shape);
    const Estimate estimate = {lanes::max(trace() - axis.energy, all_lanes_f32(0)),
                               shape.squared_length * texels_inside, shape.lost, nullptr,
                               all_lanes_f32(0)};
    rank_lists(false, estimate, !traits.constant);
    return axis;
  }

  HWY_INLINE Axis rank_two_planes(I32 channel, LaneMask eligible) {
    const Covariances rest = without_channel(covariances, channel);
    const Axis axis = principal_axis<kChannels>(rest);
    F32 rest_trace = rest.at[0][0];
    for (unsigned i = 1; i < kChannels; ++i) {
      rest_trace = rest_trace + rest.at[i][i];
    }
    F32 position[kMaxTexels2d];
    PlaneShape first, second;
    project(planes, size.texel_count(), axis.direction, kChannels == 4, position);
    measure_shape(table, size, position, first);
    channel_positions(planes, size.texel_count(), channel, position);
    measure_shape(table, size, position, second);
    const Estimate estimate = {lanes::max(rest_trace - axis.energy, all_lanes_f32(0)),
                               (first.squared_length + second.squared_length) * texels_inside,
                               first.lost, second.lost, all_lanes_f32(0)};
    rank_lists(true, estimate, eligible);
    return axis;
  }
};

// Blocks [block, block + lane_count()) with one plane. Returns where two may be better.
template <unsigned kChannels>
HWY_INLINE LaneMask rank_group_one_plane(const CandidateTable& table, BlockSize size,
                                         const EncodeSettings& settings, const TexelPlanes& planes,
                                         const BlockTraits& traits, const Inside& inside,
                                         size_t block, Chunk& chunk) {
  const F32 texels_inside = lanes::to_f32(inside.x * inside.y);
  Ranking<kChannels> ranking = {
      table,
      size,
      planes,
      traits,
      texels_inside,
      covariances<kChannels>(planes, size.texel_count(), inside, texels_inside),
      {all_lanes_f32(1e30F), all_lanes(kConstantBlock), all_lanes(0)}};
  const Axis axis = ranking.rank_one_plane();
  lanes::store(ranking.best.list, chunk.list.data() + block);
  lanes::store(ranking.best.candidate, chunk.candidate.data() + block);
  lanes::store(ranking.best.error, chunk.error.data() + block);
  for (unsigned i = 0; i < 4; ++i) {
    lanes::store(axis.direction[i], chunk.axis[i].data() + block);
  }
  const F32 off_line = ranking.trace() - axis.energy;
  return (off_line > ranking.best.error * all_lanes_f32(settings.two_plane_share)) &
         !traits.constant;
}

// The lanes' blocks with two planes; takes the choice over where it is better.
template <unsigned kChannels>
HWY_INLINE void rank_group_two_planes(const CandidateTable& table, BlockSize size,
                                      const TexelPlanes& planes, const BlockTraits& traits,
                                      const Inside& inside, I32 block, Chunk& chunk) {
  const F32 texels_inside = lanes::to_f32(inside.x * inside.y);
  const F32 one_plane_error = lanes::gather(chunk.error.data(), block);
  Ranking<kChannels> ranking = {
      table,
      size,
      planes,
      traits,
      texels_inside,
      covariances<kChannels>(planes, size.texel_count(), inside, texels_inside),
      {one_plane_error, all_lanes(kConstantBlock), all_lanes(0)}};
  const I32 channel = choose_plane2_channel(ranking.covariances, traits.opaque);
  const Axis axis = ranking.rank_two_planes(channel, !traits.constant);

  HWY_ALIGN int32_t blocks[lanes::kMaxLaneCount], lists[lanes::kMaxLaneCount],
      candidates[lanes::kMaxLaneCount], channels[lanes::kMaxLaneCount];
  HWY_ALIGN float direction[4][lanes::kMaxLaneCount];
  lanes::store(block, blocks);
  lanes::store(ranking.best.list, lists);
  lanes::store(ranking.best.candidate, candidates);
  lanes::store(channel, channels);
  for (unsigned i = 0; i < 4; ++i) {
    lanes::store(axis.direction[i], direction[i]);
  }
  for (size_t lane = 0; lane < lanes::lane_count(); ++lane) {
    if (lists[lane] == kConstantBlock) {
      continue;  // one plane remains the better choice
    }
    const auto index = static_cast<size_t>(blocks[lane]);
    chunk.list[index] = lists[lane];
    chunk.candidate[index] = candidates[lane];
    chunk.plane2_channel[index] = channels[lane];
    for (unsigned i = 0; i < 4; ++i) {
      chunk.axis[i][index] = direction[i][lane];
    }
  }
}

// All blocks with one plane. Returns the number of chunk.two_plane_blocks.
HWY_INLINE size_t rank_with_one_plane(const CandidateTable& table, BlockSize size,
                                      const EncodeSettings& settings, TexelPlanes& planes,
                                      Chunk& chunk) {
  size_t found = 0;
  for (size_t block = 0; block < chunk.count; block += lanes::lane_count()) {
    const BlockTraits traits =
        load_planes([&](unsigned i) { return lanes::load_i32(chunk.texel_row(i) + block); },
                    size.texel_count(), planes);
    const Inside inside = {chunk.has_edges, lanes::load_i32(chunk.inside_x.data() + block),
                           lanes::load_i32(chunk.inside_y.data() + block), size.x};
    // A channel of constant alpha adds nothing but zeros.
    const LaneMask promising =
        lanes::any_lane(!traits.opaque)
            ? rank_group_one_plane<4>(table, size, settings, planes, traits, inside, block, chunk)
            : rank_group_one_plane<3>(table, size, settings, planes, traits, inside, block, chunk);
    HWY_ALIGN int32_t flags[lanes::kMaxLaneCount];
    lanes::store(lanes::as_bits(promising), flags);
    const size_t end = std::min(chunk.count - block, lanes::lane_count());
    for (size_t lane = 0; lane < end; ++lane) {
      chunk.two_plane_blocks[found] = static_cast<int32_t>(block + lane);
      found += flags[lane] != 0 ? 1 : 0;
    }
  }
  return found;
}

HWY_INLINE void rank_with_two_planes(const CandidateTable& table, BlockSize size, size_t count,
                                     TexelPlanes& planes, Chunk& chunk) {
  // The last block is repeated to fill the vector.
  std::fill_n(chunk.two_plane_blocks.begin() + static_cast<ptrdiff_t>(count), lanes::lane_count(),
              count > 0 ? chunk.two_plane_blocks[count - 1] : 0);
  for (size_t first = 0; first < count; first += lanes::lane_count()) {
    const I32 block = lanes::load_i32(chunk.two_plane_blocks.data() + first);
    const BlockTraits traits =
        load_planes([&](unsigned i) { return lanes::gather(chunk.texel_row(i), block); },
                    size.texel_count(), planes);
    const Inside inside = {chunk.has_edges, lanes::gather(chunk.inside_x.data(), block),
                           lanes::gather(chunk.inside_y.data(), block), size.x};
    if (lanes::any_lane(!traits.opaque)) {
      rank_group_two_planes<4>(table, size, planes, traits, inside, block, chunk);
    } else {
      rank_group_two_planes<3>(table, size, planes, traits, inside, block, chunk);
    }
  }
}

// Chooses for every block of the chunk.
HWY_INLINE void rank_chunk(const CandidateTable& table, BlockSize size,
                           const EncodeSettings& settings, Chunk& chunk) {
  TexelPlanes planes;
  const size_t promising = rank_with_one_plane(table, size, settings, planes, chunk);
  if (settings.dual_plane) {
    rank_with_two_planes(table, size, promising, planes, chunk);
  }
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_ASTC_RANK_INL_H_
