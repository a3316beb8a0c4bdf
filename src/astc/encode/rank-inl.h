// Stage 3: which block modes with one partition and one plane of weights suit a block.
#if defined(TESSERA_ASTC_RANK_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_RANK_INL_H_
#undef TESSERA_ASTC_RANK_INL_H_
#else
#define TESSERA_ASTC_RANK_INL_H_
#endif

#include <utility>

#include "astc/encode/estimates-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// A squared error of a texel that nobody sees.
inline constexpr float kTrifle = 2.0F;

// Positions relative to the first texel, so that a flat block is exactly flat.
template <unsigned kChannels>
TESSERA_INLINE void project(const TexelPlanes& planes, unsigned texel_count, const F32 direction[4],
                            F32* position) {
  for (unsigned i = 0; i < texel_count; ++i) {
    F32 sum = (planes.at(0, i) - planes.at(0, 0)) * direction[0];
    for (unsigned k = 1; k < kChannels; ++k) {
      sum = sum + (planes.at(k, i) - planes.at(k, 0)) * direction[k];
    }
    position[i] = sum;
  }
}

template <unsigned kChannels>
TESSERA_INLINE F32 trace(const Covariances& c) {
  F32 sum = c.at[0][0];
  for (unsigned i = 1; i < kChannels; ++i) {
    sum = sum + c.at[i][i];
  }
  return sum;
}

// Energy of colours along the direction from black to their mean.
TESSERA_INLINE F32 energy_towards_black(const Covariances& c, const F32 mean[3]) {
  F32 energy = all_lanes_f32(0), squared_length = energy;
  for (unsigned i = 0; i < 3; ++i) {
    F32 sum = c.at[i][0] * mean[0];
    for (unsigned k = 1; k < 3; ++k) {
      sum = sum + c.at[i][k] * mean[k];
    }
    energy = energy + sum * mean[i];
    squared_length = squared_length + mean[i] * mean[i];
  }
  return energy / lanes::max(squared_length, all_lanes_f32(1));
}

// Energy along the direction of greys, which HDR colours that are stored as one and a difference
// differ by.
TESSERA_INLINE F32 energy_along_grey(const Covariances& c, const float grey[3]) {
  F32 energy = all_lanes_f32(0);
  for (unsigned i = 0; i < 3; ++i) {
    for (unsigned k = 0; k < 3; ++k) {
      energy = energy + c.at[i][k] * all_lanes_f32(grey[i] * grey[k]);
    }
  }
  return energy;
}

// Squared distance of all texels from greys, without alpha, whose endpoints are free. `grey` has
// length 1.
TESSERA_INLINE F32 off_greys(const Covariances& c, const F32 mean[3], F32 texels,
                             const float grey[3]) {
  F32 off = all_lanes_f32(0), on_grey = off, squared_mean = off, mean_on_grey = off;
  for (unsigned i = 0; i < 3; ++i) {
    off = off + c.at[i][i];
    for (unsigned k = 0; k < 3; ++k) {
      on_grey = on_grey + c.at[i][k] * all_lanes_f32(grey[i] * grey[k]);
    }
    squared_mean = squared_mean + mean[i] * mean[i];
    mean_on_grey = mean_on_grey + mean[i] * all_lanes_f32(grey[i]);
  }
  return off - on_grey + texels * (squared_mean - mean_on_grey * mean_on_grey);
}

// Squared distances of texels from the line that each way of storing leaves their colours.
struct OffStoredLines {
  F32 line[kStorageCount];
};

// `off_line` is the distance from the best line. Alpha's endpoints are free in all ways.
TESSERA_SHARED OffStoredLines off_stored_lines(const RankContext& context, const Covariances& c,
                                               const F32 mean[3], F32 texels, F32 off_line) {
  const F32 on_line =
      context.is_hdr ? energy_along_grey(c, context.grey) : energy_towards_black(c, mean);
  const F32 off_black = c.at[0][0] + c.at[1][1] + c.at[2][2] - on_line;
  const F32 off_grey = off_greys(c, mean, texels, context.grey);
  return {{off_line, lanes::max(off_black, off_line), lanes::max(off_grey, off_line)}};
}

// HDR has no such modes.
TESSERA_INLINE bool stores_colors_plainly_beside_alpha(const RankContext& context) {
  return context.settings.base_scale && !context.is_hdr;
}

// Several parts may have lines of their own; or two colours each where the texels have but four,
// which matters where the one line's error is no trifle.
TESSERA_INLINE void store_partition_gain_bound(const RankContext& context, F32 off_line, F32 best,
                                               const PlaneShape& shape, F32 texels_inside,
                                               size_t block, Chunk& chunk) {
  F32 gain_bound = off_line;
  if (context.settings.measures_rounding) {
    constexpr unsigned kFourLevels = 2;
    const F32 of_few_colors = best - shape.rounding[kFourLevels];
    const LaneMask matters = best > texels_inside * all_lanes_f32(kTrifle);
    gain_bound = lanes::max(gain_bound, lanes::zero_unless(matters, of_few_colors));
  }
  lanes::store(gain_bound, chunk.partition_gain_bound + block);
}

// Blocks [block, block + lane_count()) with one plane. Returns where two may be better.
template <unsigned kChannels>
TESSERA_INLINE LaneMask rank_group_one_plane(const RankContext& context, const TexelPlanes& planes,
                                             const BlockTraits& traits, const Inside& inside,
                                             size_t block, Chunk& chunk) {
  const unsigned texel_count = context.size.texel_count();
  const F32 texels_inside = inside.count();
  F32 mean[4];
  const Covariances c = covariances<kChannels>(planes, texel_count, inside, texels_inside, mean);
  store_covariances(c, block, chunk);
  const Axis axis = principal_axis<kChannels>(c);
  for (unsigned i = 0; i < 4; ++i) {
    lanes::store(axis.direction[i], chunk.axis(i) + block);
  }
  F32 position[kLaneTexels];
  project<kChannels>(planes, texel_count, axis.direction, position);
  PlaneShape shape;
  measure_shape(context.tables, context.size, context.settings.measures_rounding, position, nullptr,
                shape);
  const F32 all = trace<kChannels>(c);
  const F32 off_line = lanes::max(all - axis.energy, all_lanes_f32(0));
  Estimate estimate = {off_line, shape.squared_length * texels_inside, &shape, nullptr};
  BestConfigurations best(context.settings.single_fits());
  const F32 counted =
      rounded_texels(context, texels_inside, shape.squared_length, axis.direction, mean);
  rank_families(context, {ColorClass::kRgb, 1, false, 0}, traits, estimate, counted, all_lanes(0),
                lanes::every_lane(true), best);
  if (context.settings.base_scale) {
    const OffStoredLines off = off_stored_lines(context, c, mean, texels_inside, off_line);
    estimate.off_line = off.line[1];
    rank_families(context, {ColorClass::kRgb, 1, false, 1}, traits, estimate, counted, all_lanes(0),
                  lanes::every_lane(true), best);
    estimate.off_line = off.line[2];
    rank_families(context, {ColorClass::kRgb, 1, false, 2}, traits, estimate, counted, all_lanes(0),
                  lanes::every_lane(true), best);
  }
  best.store(block, chunk);
  store_partition_gain_bound(context, off_line, best.best_error(), shape, texels_inside, block,
                             chunk);
  return off_line > best.best_error() * all_lanes_f32(context.settings.two_plane_share);
}

// Appends the lanes of a mask to the list of blocks that the next part may look at.
TESSERA_INLINE size_t append_found(LaneMask lanes_of, size_t block, size_t found, Chunk& chunk) {
  TESSERA_ALIGN int32_t flags[lanes::kMaxLaneCount];
  lanes::store(lanes::as_bits(lanes_of), flags);
  const size_t end = std::min(chunk.count - block, lanes::lane_count());
  for (size_t lane = 0; lane < end; ++lane) {
    chunk.found[found] = static_cast<int32_t>(block + lane);
    found += flags[lane] != 0 ? 1 : 0;
  }
  return found;
}

// The number of a block's colour class, those of opaque blocks first.
TESSERA_INLINE I32 class_order(const BlockTraits& traits) {
  return lanes::zero_unless(!traits.grey, all_lanes(1)) |
         lanes::zero_unless(!traits.opaque, all_lanes(2));
}

TESSERA_INLINE bool is_opaque_class(int32_t order) {
  return order < 2;
}

// Makes the list of selected blocks of those that have been found, class by class: families are
// ranked for a whole vector if one of its blocks is of their class.
TESSERA_INLINE void select_by_class(size_t count, Chunk& chunk) {
  size_t place[kColorClassCount] = {};
  for (size_t i = 0; i < count; ++i) {
    ++place[chunk.class_order[chunk.found[i]]];
  }
  size_t first = 0;
  for (size_t& p : place) {
    first += std::exchange(p, first);
  }
  for (size_t i = 0; i < count; ++i) {
    chunk.selected[place[chunk.class_order[chunk.found[i]]]++] = chunk.found[i];
  }
}

// All blocks with one plane. Returns the number of those that two may suit better, in chunk.found.
template <class Texels>
TESSERA_INLINE size_t rank_with_one_plane(const EncodeTables& tables,
                                          const EncodeSettings& settings,
                                          TexelChunk<Texels>& chunk) {
  const RankContext context = rank_context(tables, settings);
  TexelPlanes planes;
  size_t found = 0;
  for (size_t block = 0; block < chunk.count; block += lanes::lane_count()) {
    const BlockTraits traits = load_planes<Texels>(
        [&](const auto& work) { for_texels_from(chunk, context.size, block, work); }, planes);
    weigh_planes(context.settings, context.size.texel_count(), planes);
    const Inside inside = inside_of_chunk(chunk, context.size, [&](const int32_t* numbers) {
      return lanes::load_i32(numbers + block);
    });
    // A channel of constant alpha adds nothing but zeros.
    const LaneMask promising =
        lanes::any_lane(!traits.opaque)
            ? rank_group_one_plane<4>(context, planes, traits, inside, block, chunk)
            : rank_group_one_plane<3>(context, planes, traits, inside, block, chunk);
    lanes::store(class_order(traits), chunk.class_order + block);
    found = append_found(promising, block, found, chunk);
  }
  return found;
}

// Calls work(planes, traits, inside, blocks, block_count) for the selected blocks, a vector at a
// time.
template <class Texels, class Work>
TESSERA_INLINE void for_selected_blocks(const RankContext& context, size_t count,
                                        TexelPlanes& planes, TexelChunk<Texels>& chunk,
                                        const Work& work) {
  const KernelSize size = context.size;
  // The last block is repeated to fill the vector.
  std::fill_n(chunk.selected + count, lanes::lane_count(),
              count > 0 ? chunk.selected[count - 1] : 0);
  for (size_t first = 0; first < count; first += lanes::lane_count()) {
    const int32_t* blocks = chunk.selected + first;
    const I32 block = lanes::load_i32(blocks);
    const BlockTraits traits = load_planes<Texels>(
        [&](const auto& load) { for_texels(chunk, size, blocks, load); }, planes);
    weigh_planes(context.settings, size.texel_count(), planes);
    const Inside inside = inside_of_chunk(
        chunk, size, [&](const int32_t* numbers) { return lanes::gather(numbers, block); });
    work(planes, traits, inside, blocks, std::min(lanes::lane_count(), count - first));
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_RANK_INL_H_
