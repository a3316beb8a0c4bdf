// Any bytes as a texture file, all the way to pixels.
#include <cstdint>
#include <cstdlib>

#include "codec/registry.h"
#include "containers/texture_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tessera;
  static const auto backend = make_cpu_backend(1);
  const auto texture = read_texture(ByteSpan(data, size), "input");
  // A small file may honestly stand for many texels; the fuzzer's time is better spent on small
  // ones.
  constexpr uint64_t kMaxTexels = uint64_t{1} << 16;
  if (!texture || uint64_t{texture->info.width} * texture->info.height > kMaxTexels ||
      uint64_t{texture->info.depth} * texture->info.layers > 64) {
    return 0;
  }
  const Codec& codec = codec_of(texture->info.format);
  const bool is_stream = codec.row().payload == PayloadKind::kWholeImage;
  for (uint32_t level = 0; level < texture->levels.size(); ++level) {
    DecodeOptions options;
    options.sample = static_cast<SampleType>(size % 4);
    if ((size & 4) != 0) {
      options.options = known_options({{"decode-mode", "unorm8"}}, codec.decode_options());
    }
    const auto image =
        codec.decode_level(texture->info, level, texture->levels[level], options, *backend, {});
    if (!image && !is_stream) {  // any blocks can be decoded, but not any stream
      std::abort();
    }
  }
  return 0;
}
