// Passes rows of blocks to the method that the settings name.
#include "bc/bc1_encode.h"

#include "bc/encode_methods.h"

namespace tessera::bc1 {

void encode_rows(const ImageView& image, uint32_t slice, uint32_t first_row, uint32_t end_row,
                 const Settings& settings, std::span<uint8_t> out) {
  const RowRange range = {image, slice, first_row, end_row};
  if (settings.method == Method::kBounds && settings.is_plain()) {
    encode_rows_bounds(range, out);
  } else if (settings.method == Method::kRange && settings.box_axis && settings.is_plain()) {
    encode_rows_realtime(range, out);
  } else {
    encode_rows_fit(range, settings, out);
  }
}

}  // namespace tessera::bc1
