#include "bc/encode_methods.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bc/encode_bounds.cc"
#include "hwy/foreach_target.h"
// foreach_target.h comes first: it includes this file again for every target.
#include "bc/block_rows-inl.h"
#include "bc/encode_bounds-inl.h"
#include "bc/encode_realtime-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::bc1::HWY_NAMESPACE {

void encode_rows_bounds_on_target(const RowRange& range, std::span<uint8_t> out) {
  encode_block_rows(range.image, range.slice, range.first_row, range.end_row, out,
                    encode_lanes_bounds);
}

void encode_rows_realtime_on_target(const RowRange& range, std::span<uint8_t> out) {
  encode_block_rows(range.image, range.slice, range.first_row, range.end_row, out,
                    encode_lanes_realtime);
}

}  // namespace tessera::bc1::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::bc1 {

HWY_EXPORT(encode_rows_bounds_on_target);
HWY_EXPORT(encode_rows_realtime_on_target);

void encode_rows_bounds(const RowRange& range, std::span<uint8_t> out) {
  HWY_DYNAMIC_DISPATCH(encode_rows_bounds_on_target)(range, out);
}

void encode_rows_realtime(const RowRange& range, std::span<uint8_t> out) {
  HWY_DYNAMIC_DISPATCH(encode_rows_realtime_on_target)(range, out);
}

}  // namespace tessera::bc1
#endif  // HWY_ONCE
