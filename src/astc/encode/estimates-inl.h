// Stage 3, what its parts share: the error of every candidate of a family by an estimate in
// closed form. The squared error of a block is taken to be the sum of
//   - the distance of its texels from the line (or lines, one per partition and plane),
//   - the detail that a coarser weight grid cannot carry: the energy of the higher frequencies of
//     the cosine transform of the texels' positions on the line,
//   - the rounding of the weights, which grows with the squared length of the line,
//   - and the rounding of the endpoints.
// Cost: two small matrix products per plane, and a few operations per candidate.
#if defined(TESSERA_ASTC_ESTIMATES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_ESTIMATES_INL_H_
#undef TESSERA_ASTC_ESTIMATES_INL_H_
#else
#define TESSERA_ASTC_ESTIMATES_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "astc/encode/analyse-inl.h"
#include "astc/encode/best_configurations-inl.h"
#include "astc/encode/encode_tables.h"
#ifndef __CUDACC__
#include "astc/encode/hdr_pair_modes-inl.h"
#endif
#include "astc/encode/presets.h"
#include "astc/encode/shape-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// What the stages are asked to work on.
struct RankContext {
  const EncodeTables& tables;
  KernelSize size;
  const EncodeSettings& settings;
  float grey[3];  // the direction of greys among weighted channels, of length 1
  bool is_hdr = false;
};

TESSERA_INLINE RankContext rank_context(const EncodeTables& tables,
                                        const EncodeSettings& settings) {
  const auto& w = settings.channel_weights;
  const float per_length = 1.0F / std::sqrt(w[0] + w[1] + w[2]);
  return {
      tables,
      tables.size,
      settings,
      {std::sqrt(w[0]) * per_length, std::sqrt(w[1]) * per_length, std::sqrt(w[2]) * per_length},
      settings.decode_mode == DecodeMode::kHdr};
}

// The number of texels that the rounding of endpoints counts for.
TESSERA_INLINE F32 rounded_texels(const RankContext& context, F32 texels_inside, F32 squared_length,
                                  const F32* direction, const F32 color[3]) {
#ifdef __CUDACC__  // devices do not encode HDR
  return texels_inside;
#else
  return context.is_hdr ? texels_inside * hdr_rounding_share(squared_length, direction, color)
                        : texels_inside;
#endif
}

// What the estimates of a family start from.
struct Estimate {
  F32 off_line;        // squared distances from the line
  F32 squared_length;  // times the number of texels
  const PlaneShape* plane1;
  const PlaneShape* plane2;  // null for one plane
};

// Bilinear interpolation cannot follow the low frequencies as well as cosines do.
inline constexpr float kLostShare = 1.15F;

// Of the weights. With few levels it depends on where the texels lie, and is measured; on a coarser
// grid, whose weights lie between those of texels, that holds the less the more detail is lost.
TESSERA_INLINE F32 rounding_error(const RankContext& context, const Estimate& estimate,
                                  const WeightGrid& grid, const Candidate& candidate, F32 lost) {
  const unsigned range = range_index(candidate.weight_range);
  const F32 usual = estimate.squared_length * all_lanes_f32(candidate.weight_error);
  if (!context.settings.measures_rounding || range >= PlaneShape::kMeasuredRanges) {
    return usual;
  }
  F32 measured = estimate.plane1->rounding[range];
  if (estimate.plane2 != nullptr) {
    measured = measured + estimate.plane2->rounding[range];
  }
  if (grid.is_identity) {
    return measured;
  }
  constexpr float kDoubt = 0.5F;  // chosen on icons; photographs do not care
  return lanes::min(usual,
                    measured * all_lanes_f32(grid.noise_gain) + lost * all_lanes_f32(kDoubt));
}

// Enters the candidates of a family, with `details` (Configuration's channel and pattern) added.
// `texels_inside` are those that the rounding of endpoints counts for, see rounded_texels().
TESSERA_INLINE void rank_candidates(const RankContext& context, const Family& family,
                                    const Estimate& estimate, F32 texels_inside, I32 details,
                                    LaneMask eligible, BestConfigurations& best) {
  const unsigned index = context.tables.family_index(family);
  const auto candidates = context.tables.candidates(index);
  const bool is_plain = family.partitions == 1 && !family.dual_plane;
  const size_t count =
      std::min<size_t>(candidates.size(),
                       is_plain ? context.settings.one_plane_modes : context.settings.other_modes);
  const F32 color_values =
      texels_inside * all_lanes_f32(static_cast<float>(decoded_channels(family.color_class)));
  const F32 off_line = lanes::select(eligible, estimate.off_line, all_lanes_f32(1e30F));
  TESSERA_LOOP
  for (size_t i = 0; i < count; ++i) {
    const Candidate& candidate = candidates[i];
    const WeightGrid& grid = context.tables.grids[candidate.grid];
    F32 lost = all_lanes_f32(0);
    if (!grid.is_identity) {
      const unsigned slot = grid.shape_slot;
      lost = estimate.plane1->lost[slot];
      if (estimate.plane2 != nullptr) {
        lost = lost + estimate.plane2->lost[slot];
      }
    }
    const F32 error = off_line + color_values * all_lanes_f32(candidate.color_error) +
                      rounding_error(context, estimate, grid, candidate, lost) +
                      lost * all_lanes_f32(kLostShare);
    best.insert(error, details | all_lanes(Configuration::code(index, static_cast<unsigned>(i))));
  }
}

// The same, but no more of them than a share of the list: many modes of one pattern are much alike,
// and would crowd out what is different.
TESSERA_INLINE void rank_family(const RankContext& context, const Family& family,
                                const Estimate& estimate, F32 texels_inside, I32 details,
                                LaneMask eligible, BestConfigurations& best) {
  if (!lanes::any_lane(eligible & (estimate.off_line < best.worst_error()))) {
    return;
  }
  const unsigned most = context.settings.fits_per_family;
  if (context.settings.fits <= most) {
    rank_candidates(context, family, estimate, texels_inside, details, eligible, best);
    return;
  }
  BestConfigurations of_family(most);
  of_family.accept_below(best.worst_error());  // others would not get in
  rank_candidates(context, family, estimate, texels_inside, details, eligible, of_family);
  best.insert_all(of_family);
}

// Blocks of a colour class.
TESSERA_INLINE LaneMask is_class(const BlockTraits& traits, ColorClass color_class) {
  const auto bits = static_cast<unsigned>(color_class);
  const LaneMask grey = (bits & 2) != 0 ? !traits.grey : traits.grey;
  return grey & ((bits & 1) != 0 ? !traits.opaque : traits.opaque);
}

// Enters families of so many partitions and planes for each class that a lane's block has.
TESSERA_INLINE void rank_families(const RankContext& context, Family family,
                                  const BlockTraits& traits, const Estimate& estimate,
                                  F32 texels_inside, I32 details, LaneMask eligible,
                                  BestConfigurations& best) {
  TESSERA_LOOP
  for (unsigned i = 0; i < kColorClassCount; ++i) {
    family.color_class = static_cast<ColorClass>(i);
    const LaneMask members = is_class(traits, family.color_class) & eligible;
    if (family.is_legal() && lanes::any_lane(members)) {
      rank_family(context, family, estimate, texels_inside, details, members, best);
    }
  }
}

// The same, not copied to its callers on devices: for what has many of them.
TESSERA_CALLED void call_rank_families(const RankContext& context, const Family& family,
                                       const BlockTraits& traits, const Estimate& estimate,
                                       F32 texels_inside, I32 details, LaneMask eligible,
                                       BestConfigurations& best) {
  rank_families(context, family, traits, estimate, texels_inside, details, eligible, best);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_ESTIMATES_INL_H_
