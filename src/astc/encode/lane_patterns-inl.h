// The partition of each texel of each lane's block.
#if defined(TESSERA_ASTC_LANE_PATTERNS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_LANE_PATTERNS_INL_H_
#undef TESSERA_ASTC_LANE_PATTERNS_INL_H_
#else
#define TESSERA_ASTC_LANE_PATTERNS_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"
#include "astc/encode/patterns.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

class LanePatterns {
 public:
  LanePatterns() = default;
  TESSERA_INLINE LanePatterns(const PatternTable& table, I32 pattern) { load(table, pattern); }

  TESSERA_INLINE void load(const PatternTable& table, I32 pattern) {
    const I32 first = pattern * all_lanes(static_cast<int32_t>(table.words_per_pattern()));
    const unsigned words = kHasFixedSize ? kWords : table.words_per_pattern();
    for (unsigned i = 0; i < words; ++i) {
      words_[i] = lanes::gather(table.words() + i, first);
    }
  }
  // All texels in partition 0.
  TESSERA_INLINE void clear() {
    for (I32& word : words_) {
      word = all_lanes(0);
    }
  }
  TESSERA_INLINE I32 of_texel(unsigned t) const {
    return lanes::shift_right_logical(words_[t / kTexelsPerPatternWord],
                                      static_cast<int>(2 * (t % kTexelsPerPatternWord))) &
           all_lanes(3);
  }
  TESSERA_INLINE LaneMask is_in(unsigned t, unsigned partition) const {
    return of_texel(t) == all_lanes(static_cast<int32_t>(partition));
  }

 private:
  static constexpr unsigned kWords =
      (kLaneTexels + kTexelsPerPatternWord - 1) / kTexelsPerPatternWord;
  I32 words_[kWords];
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_LANE_PATTERNS_INL_H_
