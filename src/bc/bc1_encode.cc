#include "bc/bc1_encode.h"

#include "bc/encode_methods.h"

namespace tessera::bc1 {

void encode_rows(const ImageView& image, uint32_t slice, uint32_t first_row, uint32_t end_row,
                 const Settings& settings, std::span<uint8_t> out) {
  const RowRange range = {image, slice, first_row, end_row};
  switch (settings.method) {
    case Method::kBounds:
      if (settings.is_plain()) {
        return encode_rows_bounds(range, out);
      }
      [[fallthrough]];
    case Method::kFarthest:
    case Method::kLuma:
      return encode_rows_pair(range, settings, out);
    case Method::kRange:
      if (settings.box_axis && settings.is_plain()) {
        return encode_rows_realtime(range, out);
      }
      return encode_rows_range(range, settings, out);
    case Method::kStarts:
      return encode_rows_starts(range, settings, out);
    case Method::kCluster:
      return encode_rows_cluster(range, settings, out);
    case Method::kLspiro:
      return encode_rows_lspiro(range, settings, out);
  }
}

}  // namespace tessera::bc1
