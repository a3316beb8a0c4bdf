#include "bc/encode_bounds.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bc/encode_bounds.cc"
#include "hwy/foreach_target.h"
// foreach_target.h comes first: it includes this file again for every target.
#include "bc/block_rows-inl.h"
#include "bc/encode_bounds-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::bc1::HWY_NAMESPACE {

void encode_rows_bounds_on_target(const ImageView& image, uint32_t slice, uint32_t first_row,
                                  uint32_t end_row, std::span<uint8_t> out) {
  encode_block_rows(image, slice, first_row, end_row, out, encode_lanes_bounds);
}

}  // namespace tessera::bc1::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::bc1 {

HWY_EXPORT(encode_rows_bounds_on_target);

void encode_rows_bounds(const ImageView& image, uint32_t slice, uint32_t first_row,
                        uint32_t end_row, std::span<uint8_t> out) {
  HWY_DYNAMIC_DISPATCH(encode_rows_bounds_on_target)(image, slice, first_row, end_row, out);
}

}  // namespace tessera::bc1
#endif  // HWY_ONCE
