// Any bytes as a texture file or fractal image, all the way to pixels, with no more memory and time
// than promised.
#include <cstdint>

#include "codec/pipeline.h"
#include "codec/registry.h"
#include "containers/texture_file.h"
#include "measured.h"

namespace {

using namespace tessera;

bool is_stream(ByteSpan bytes) {
  return detect_container_type(bytes) == ContainerType::kTsf;
}

Status decode_measured(ByteSpan bytes, const TextureRequest& request) {
  static const auto backend = make_cpu_backend(1);
  DecodeOptions options;
  options.sample = static_cast<SampleType>(bytes.size() % 4);
  if ((bytes.size() & 4) != 0) {
    options.options =
        is_stream(bytes) ? OptionList{{"scale", "2"}} : OptionList{{"decode-mode", "unorm8"}};
  }
  const fuzz::Measured measured(bytes.size());
  const RunControl control = {{}, nullptr, fuzz::limits()};
  const auto decoded =
      decode_texture(bytes, "input", request, options, *backend, control, measured.budget());
  return decoded ? Status() : Status(decoded.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ByteSpan bytes(data, size);
  const auto index = read_texture_index(bytes, size, "input");
  if (!index) {
    return 0;
  }
  for (uint32_t level = 0; level < index->levels.size(); ++level) {
    const Status may_be_refused = decode_measured(bytes, {level});
  }
  const auto slice = static_cast<uint32_t>(size % 7);
  const Status decoded = decode_measured(bytes, {0, slice});
  // Any blocks can be decoded, but not any stream. What is refused is the container, the slice, or
  // a limit.
  const auto texture = read_texture(bytes, "input", ReadBudget(fuzz::limits(), nullptr));
  fuzz::require(decoded || !texture || is_stream(bytes) ||
                    decoded.error().code == ErrorCode::kFailed ||
                    decoded.error().code == ErrorCode::kUsage,
                "blocks that were read cannot be decoded");
  return 0;
}
