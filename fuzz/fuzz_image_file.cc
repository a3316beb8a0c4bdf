// Any bytes as a picture file: no crash, no leak, no gigabytes for a small file. What decodes is
// written again as PNG and has to come back the same.
#include <cstdlib>
#include <cstring>

#include "imageio/image_file.h"

namespace {

constexpr uint64_t kMaxRoundTripPixels = 4096;  // more would only slow the search down

void check_round_trip(const tessera::Image& image) {
  const auto file = tessera::encode_image(image.view(), tessera::ImageFileType::kPng);
  if (!file.ok()) {
    std::abort();
  }
  const auto again = tessera::decode_image(*file, "again");
  if (!again.ok() || !(again->info() == image.info())) {
    std::abort();
  }
  const size_t row_bytes = image.width() * image.info().pixel_bytes();
  for (uint32_t y = 0; y < image.height(); ++y) {
    if (std::memcmp(image.row<uint8_t>(y), again->row<uint8_t>(y), row_bytes) != 0) {
      std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto image = tessera::decode_image({data, size}, "input");
  if (image.ok() && image->info().pixel_count() <= kMaxRoundTripPixels) {
    check_round_trip(*image);
  }
  return 0;
}
