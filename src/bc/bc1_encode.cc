#include "bc/bc1_encode.h"

#include "bc/encode_bounds.h"

namespace tessera::bc1 {

void encode_rows(const ImageView& image, uint32_t slice, uint32_t first_row, uint32_t end_row,
                 const Settings& settings, std::span<uint8_t> out) {
  switch (settings.method) {
    case Method::kBounds:
      encode_rows_bounds(image, slice, first_row, end_row, out);
      return;
  }
}

}  // namespace tessera::bc1
