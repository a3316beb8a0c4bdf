// Any bytes as a fractal image, all the way to pixels and to what `tessera info` tells, with no
// more memory and time than promised.
#include <cstdint>
#include <string>

#include "codec/pipeline.h"
#include "codec/registry.h"
#include "fractal/fractal_image.h"
#include "measured.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tessera;
  static const auto backend = make_cpu_backend(1);
  const ByteSpan bytes(data, size);
  const fuzz::Measured measured(size);
  const auto file = fractal::read_tsf(bytes, "input");
  if (!file || uint64_t{file->header.width} * file->header.height > fuzz::limits().max_pixels) {
    return 0;
  }
  const uint32_t scale = size % 2 == 0 ? 1 : 2;
  DecodeOptions options;
  options.options = {{"scale", std::to_string(scale)}, {"iterations", std::to_string(size % 5)}};
  const RunControl control = {{}, nullptr, fuzz::limits()};
  const auto decoded =
      decode_texture(bytes, "input", {}, options, *backend, control, measured.budget());
  fuzz::require(!decoded || decoded->image.width() == file->header.width * scale,
                "a fractal image has another width than its header");
  const auto statistics = fractal::leaf_statistics(bytes, "input", measured.budget());
  fuzz::require(!decoded || statistics.ok(), "what can be decoded cannot be described");
  return 0;
}
