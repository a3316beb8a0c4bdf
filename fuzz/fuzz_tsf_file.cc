// Any bytes as a fractal image, all the way to pixels.
#include <cstdint>
#include <cstdlib>

#include "fractal/fractal_image.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tessera;
  const ByteSpan bytes(data, size);
  const auto file = fractal::read_tsf(bytes, "input");
  // A small file may honestly stand for many pixels; the fuzzer's time is better spent on small
  // ones.
  constexpr uint64_t kMaxFuzzPixels = uint64_t{1} << 16;
  if (!file || uint64_t{file->header.width} * file->header.height > kMaxFuzzPixels) {
    return 0;
  }
  fractal::DecodeSettings settings;
  settings.scale = size % 2 == 0 ? 1 : 2;
  settings.iterations = static_cast<uint32_t>(size % 5);
  const auto image = fractal::decode_fractal(bytes, settings, fractal::run_serially, "input");
  if (image && image->width() != file->header.width * settings.scale) {
    std::abort();
  }
  return 0;
}
