// Any bytes as a picture file: no crash, no leak, no more memory and time than promised. What
// decodes is written again without loss, as PNG, OpenEXR or Radiance HDR, and has to come back the
// same. Its header alone must tell the same size.
#include <cstdlib>
#include <cstring>

#include "files/pictures/exr.h"
#include "files/pictures/image_file.h"
#include "measured.h"

namespace {

using namespace tessera;

constexpr uint64_t kMaxRoundTripPixels = 4096;  // more would only slow the search down

void check_round_trip(const Image& image, ImageFileType type) {
  const auto file = encode_image(image.view(), type);
  if (!file.ok()) {
    std::abort();
  }
  const auto again = decode_image(*file, "again");
  if (!again.ok() || again->info().width != image.width() ||
      again->info().channels != image.info().channels ||
      again->info().sample != image.info().sample) {
    std::abort();
  }
  const size_t row_bytes = image.width() * image.info().pixel_bytes();
  for (uint32_t y = 0; y < image.height(); ++y) {
    if (std::memcmp(image.row<uint8_t>(y), again->row<uint8_t>(y), row_bytes) != 0) {
      std::abort();
    }
  }
}

Result<Image> decode_measured(ByteSpan bytes) {
  const fuzz::Measured measured(bytes.size());
  const auto info = read_image_info(bytes, bytes.size(), "input");
  auto image = decode_image(bytes, "input", measured.budget());
  fuzz::require(
      !image || (info && info->width == image->width() && info->height == image->height()),
      "the header tells another size than the picture has");
  return image;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ByteSpan bytes(data, size);
  const auto image = decode_measured(bytes);
  if (!image.ok() || image->info().pixel_count() > kMaxRoundTripPixels) {
    return 0;
  }
  const SampleType sample = image->info().sample;
  if (sample == SampleType::kU8 || sample == SampleType::kU16) {
    check_round_trip(*image, ImageFileType::kPng);
  } else if (have_openexr()) {
    check_round_trip(*image, ImageFileType::kExr);
  }
  if (detect_image_file_type(bytes) == ImageFileType::kHdr) {
    check_round_trip(*image, ImageFileType::kHdr);
  }
  return 0;
}
