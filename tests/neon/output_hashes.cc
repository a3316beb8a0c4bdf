// Prints hashes of what the encoders write, to compare machines: a line for each format, block
// size, preset and picture.
#include <cinttypes>
#include <cstdio>

#include "astc/decode/decode_image.h"
#include "astc/encode/encode_rows.h"
#include "image/convert.h"
#include "image/synthetic.h"

namespace tessera {
namespace {

uint64_t hash_of(const Bytes& bytes) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (const uint8_t byte : bytes) {
    hash = (hash ^ byte) * 0x100000001B3u;
  }
  return hash;
}

void print_astc(const Image& image, const char* picture) {
  astc::EncodeScratch scratch;
  for (const astc::BlockSize size :
       {astc::BlockSize{4, 4, 1}, astc::BlockSize{6, 6, 1}, astc::BlockSize{10, 8, 1}}) {
    for (const Preset preset :
         {Preset::kRealtime, Preset::kFast, Preset::kMedium, Preset::kThorough}) {
      const astc::BlockCounts counts = astc::block_counts(image.info(), size);
      Bytes blocks(size_t{counts.x} * counts.y * 16);
      astc::encode_rows(image.view(), size, 0, 0, counts.y, astc::preset_settings(preset, size),
                        scratch, blocks);
      std::printf("astc %ux%u %d %s %016" PRIx64 "\n", size.x, size.y, static_cast<int>(preset),
                  picture, hash_of(blocks));
    }
  }
}

}  // namespace
}  // namespace tessera

int main() {
  using tessera::SyntheticKind;
  struct Picture {
    SyntheticKind kind;
    const char* name;
  };
  for (const auto& [kind, name] : {Picture{SyntheticKind::kPhoto, "photo"},
                                   {SyntheticKind::kInterface, "interface"},
                                   {SyntheticKind::kSprite, "sprite"},
                                   {SyntheticKind::kNoise, "noise"}}) {
    const auto picture = tessera::make_synthetic_image(kind, 123, 77, 5);
    if (!picture) {
      return 1;
    }
    const auto image = tessera::convert_channels(picture->view(), 4);
    if (!image) {
      return 1;
    }
    tessera::print_astc(*image, name);
  }
  return 0;
}
