#include "bc/encode_methods.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bc/encode_range.cc"
#include "hwy/foreach_target.h"
// foreach_target.h comes first: it includes this file again for every target.
#include "bc/encode_fit-inl.h"
#include "bc/fit_range-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::bc1::HWY_NAMESPACE {

struct RangeFitter {
  template <int kSteps>
  HWY_INLINE Fit fit(const BlockLanes& block, const Settings& settings) const {
    return fit_range<kSteps>(block, settings);
  }
};

void encode_rows_range_on_target(const RowRange& range, const Settings& settings,
                                 std::span<uint8_t> out) {
  encode_rows_fit(range, settings, RangeFitter(), out);
}

}  // namespace tessera::bc1::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::bc1 {

HWY_EXPORT(encode_rows_range_on_target);

void encode_rows_range(const RowRange& range, const Settings& settings, std::span<uint8_t> out) {
  HWY_DYNAMIC_DISPATCH(encode_rows_range_on_target)(range, settings, out);
}

}  // namespace tessera::bc1
#endif  // HWY_ONCE
