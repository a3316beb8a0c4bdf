// Estimates the memory that encoding takes.
#include <algorithm>

#include "codec/pipeline.h"
#include "containers/zstd_level.h"

namespace tessera {
namespace {

// As measured. Fractal encoders take most of their memory for the tiles that are being searched.
constexpr uint64_t kWholeImageBytesPerPixel = 8;
constexpr uint64_t kSearchedBytesPerPixel = 64;
constexpr uint64_t kSearchedPixels = uint64_t{4} << 20;
constexpr uint64_t kMetricsBytesPerPixel = 5;  // the decoded image

// Encoders take four 8-bit samples of a pixel, or half floats.
uint64_t prepared_pixel_bytes(const EncodePlan& plan) {
  return is_hdr(plan.settings.profile) ? 8 : 4;
}

// What becomes of a picture on its way to what the encoder takes: each step makes a copy of the one
// before, of the picture's own samples, and the last one converts these. Two of them exist at once.
uint64_t preparing_memory(const EncodePlan& plan, const MemoryNeed& picture) {
  const uint64_t own = picture.sample * uint64_t{4};  // bytes of a pixel
  const bool is_exchanged = !plan.swizzle.is_identity() || plan.settings.normal_map;
  const int clamped = picture.sample > 1 ? 1 : 0;
  const int channels = picture.picture == picture.pixels * own ? 0 : 1;
  const int steps = clamped + channels + (is_exchanged ? 1 : 0) + (plan.edits.any() ? 1 : 0) +
                    (plan.group == PictureGroup::kCube ? 1 : 0) +
                    (plan.settings.profile == Profile::kSrgb ? 1 : 0) + (plan.tone_map ? 1 : 0);
  const uint64_t prepared = prepared_pixel_bytes(plan);
  const uint64_t most = steps == 0   ? prepared
                        : steps == 1 ? own + prepared
                                     : own + std::max(own, prepared);
  return picture.pixels * most;
}

// From the prepared picture to the file; with mip levels a third comes on top.
uint64_t encoding_memory(const EncodePlan& plan, uint64_t pixels) {
  const uint64_t prepared = prepared_pixel_bytes(plan);
  const uint64_t sample = prepared / 4;
  uint64_t bytes = pixels * prepared + (plan.mips ? pixels * prepared / 3 : 0);
  // Normals are filtered as floats: a level and the next one.
  bytes += plan.mips && plan.mip.normals != NormalChannels::kNone ? pixels * 16 : 0;
  bytes += plan.metrics || plan.goals.any() ? pixels * kMetricsBytesPerPixel * sample : 0;
  if (plan.codec->row().payload == PayloadKind::kWholeImage) {
    return bytes + pixels * kWholeImageBytesPerPixel +
           std::min(pixels, kSearchedPixels) * kSearchedBytesPerPixel;
  }
  const BlockSize block = plan.codec->block_of(plan.settings);
  const uint64_t payload =
      pixels / block.texel_count() * plan.codec->row().block_bytes * (plan.mips ? 4 : 3) / 3;
  const ContainerOptions& file = plan.container_options;
  // The payload, and the file around it; of a search, another payload that it is compared with.
  return bytes + (plan.goals.any() ? 3 : 2) * payload +
         (file.zstd ? zstd_compress_memory(file.zstd_level, payload) : 0);
}

}  // namespace

uint64_t encode_memory(const EncodePlan& plan, const MemoryNeed& picture) {
  return std::max(preparing_memory(plan, picture), encoding_memory(plan, picture.pixels));
}

}  // namespace tessera
