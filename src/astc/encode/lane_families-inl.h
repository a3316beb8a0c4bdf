// The families of the blocks that are fitted side by side. They are of one group, so they differ in
// the ways of storing colours alone: what depends on these is done for one family after the other,
// and each lane takes what its own family gives.
#if defined(TESSERA_ASTC_LANE_FAMILIES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_LANE_FAMILIES_INL_H_
#undef TESSERA_ASTC_LANE_FAMILIES_INL_H_
#else
#define TESSERA_ASTC_LANE_FAMILIES_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"
#include "astc/encode/families.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

class LaneFamilies {
 public:
  // Blocks of one family alone would leave most lanes of a long vector empty; they fill short ones.
  static constexpr size_t kMost = lanes::kMaxLaneCount > 4 ? kSavedCounts : 1;

  LaneFamilies() = default;
  // All lanes have the same.
  TESSERA_INLINE explicit LaneFamilies(const Family& family) {
    family_[0] = family;
    lanes_of_[0] = lanes::every_lane(true);
  }

  // of_lane(i) is the family of lane i. Lanes of the same family lie side by side, there are no
  // more than kMost different ones, and none stores more values than the first.
  template <class OfLane>
  TESSERA_INLINE void load(const OfLane& of_lane) {
    if constexpr (kMost == 1) {
      *this = LaneFamilies(of_lane(0));
    } else {
      TESSERA_ALIGN int32_t number[lanes::kMaxLaneCount];
      count_ = 0;
      for (size_t lane = 0; lane < lanes::lane_count(); ++lane) {
        const Family& family = of_lane(lane);
        if (count_ == 0 || family.saved_pairs != family_[count_ - 1].saved_pairs) {
          family_[count_++] = family;
        }
        number[lane] = static_cast<int32_t>(count_ - 1);
      }
      const I32 numbers = lanes::load_i32(number);
      for (unsigned k = 0; k < count_; ++k) {
        lanes_of_[k] = numbers == all_lanes(static_cast<int32_t>(k));
      }
    }
  }

  TESSERA_INLINE unsigned count() const { return kMost == 1 ? 1 : count_; }
  TESSERA_INLINE const Family& operator[](unsigned k) const { return family_[k]; }
  TESSERA_INLINE const Family& first() const { return family_[0]; }
  TESSERA_INLINE LaneMask lanes_of(unsigned k) const { return lanes_of_[k]; }

  // The lanes whose family has a property.
  template <class Property>
  TESSERA_INLINE LaneMask lanes_where(const Property& has_property) const {
    LaneMask mask = lanes::every_lane(has_property(family_[0]));
    for (unsigned k = 1; k < count(); ++k) {
      mask = has_property(family_[k]) ? mask | lanes_of_[k] : mask & !lanes_of_[k];
    }
    return mask;
  }
  // A number of each lane's family.
  template <class Number>
  TESSERA_INLINE I32 number_of(const Number& number) const {
    I32 result = all_lanes(static_cast<int32_t>(number(family_[0])));
    for (unsigned k = 1; k < count(); ++k) {
      result =
          lanes::select(lanes_of_[k], all_lanes(static_cast<int32_t>(number(family_[k]))), result);
    }
    return result;
  }

 private:
  unsigned count_ = 1;
  Family family_[kMost];
  LaneMask lanes_of_[kMost];
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_LANE_FAMILIES_INL_H_
