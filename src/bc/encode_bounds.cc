// Compiles the bounding-box method for every instruction set and chooses one.
#include "bc/encode_methods.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "bc/encode_bounds.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "bc/block_rows-inl.h"
#include "bc/encode_bounds-inl.h"
#include "bc/encode_realtime-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

void encode_rows_bounds_on_target(const RowRange& range, std::span<uint8_t> out) {
  encode_block_rows(range.image, range.slice, range.first_row, range.end_row, out,
                    encode_lanes_bounds);
}

void encode_rows_realtime_on_target(const RowRange& range, std::span<uint8_t> out) {
  encode_block_rows(range.image, range.slice, range.first_row, range.end_row, out,
                    encode_lanes_realtime);
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::bc1 {

TESSERA_EXPORT(encode_rows_bounds_on_target);
TESSERA_EXPORT(encode_rows_realtime_on_target);

void encode_rows_bounds(const RowRange& range, std::span<uint8_t> out) {
  TESSERA_DISPATCH(encode_rows_bounds_on_target)(range, out);
}

void encode_rows_realtime(const RowRange& range, std::span<uint8_t> out) {
  TESSERA_DISPATCH(encode_rows_realtime_on_target)(range, out);
}

}  // namespace tessera::bc1
#endif  // TESSERA_ONCE
