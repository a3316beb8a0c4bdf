// Estimates the memory that encoding takes.
#include <algorithm>

#include "base/bytes.h"
#include "base/mip_levels.h"
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

// What is encoded: a panorama becomes faces of any size.
MemoryNeed picture_to_encode(const EncodePlan& plan, MemoryNeed picture) {
  if (plan.cube_size) {
    picture.width = *plan.cube_size;
    picture.height = *plan.cube_size;
    picture.pixels = uint64_t{picture.width} * picture.height * kCubeFaces;
  }
  return picture;
}

// Pixels of all levels and the blocks that hold them. Blocks of narrow pictures hold few pixels,
// and each level of such a picture has half of the pixels, not a quarter, of the one before.
struct LevelSizes {
  uint64_t pixels = 0;
  uint64_t blocks = 0;
};

LevelSizes level_sizes(const EncodePlan& plan, const MemoryNeed& picture, const BlockSize& block) {
  const uint64_t area = uint64_t{picture.width} * picture.height;
  if (area == 0 || picture.pixels < area) {
    return {picture.pixels, picture.pixels / block.texel_count()};
  }
  const uint32_t levels = plan.mips ? mip_level_count(picture.width, picture.height) : 1;
  LevelSizes slice;
  for (uint32_t level = 0; level < levels; ++level) {
    const uint64_t width = mip_extent(picture.width, level);
    const uint64_t height = mip_extent(picture.height, level);
    slice.pixels += width * height;
    slice.blocks += divide_round_up(width, block.width) * divide_round_up(height, block.height);
  }
  const uint64_t slices = picture.pixels / area;
  const uint64_t layers = divide_round_up(slices, block.depth);  // of blocks
  // More than whole slices: levels that the file has.
  const double share = static_cast<double>(picture.pixels) / static_cast<double>(slices * area);
  const auto scaled = [&](uint64_t count) {
    return static_cast<uint64_t>(static_cast<double>(count) * share);
  };
  return {scaled(slice.pixels * slices), scaled(slice.blocks * layers)};
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
  return std::max(picture.pixels, picture_to_encode(plan, picture).pixels) * most;
}

// From the prepared picture to the file.
uint64_t encoding_memory(const EncodePlan& plan, const MemoryNeed& picture) {
  const uint64_t prepared = prepared_pixel_bytes(plan);
  const uint64_t sample = prepared / 4;
  const BlockSize block = plan.codec->block_of(plan.settings);
  const LevelSizes sizes = level_sizes(plan, picture, block);
  const uint64_t pixels = picture.pixels;
  uint64_t bytes = sizes.pixels * prepared;
  // Normals are filtered as floats: a level and the next one.
  bytes += plan.mips && plan.mip.normals != NormalChannels::kNone ? pixels * 16 : 0;
  bytes += plan.metrics || plan.goals.any() ? pixels * kMetricsBytesPerPixel * sample : 0;
  if (plan.codec->row().payload == PayloadKind::kWholeImage) {
    return bytes + pixels * kWholeImageBytesPerPixel +
           std::min(pixels, kSearchedPixels) * kSearchedBytesPerPixel;
  }
  const uint64_t payload = sizes.blocks * plan.codec->row().block_bytes;
  const ContainerOptions& file = plan.container_options;
  // The payload, and the file around it; of a search, another payload that it is compared with.
  return bytes + (plan.goals.any() ? 3 : 2) * payload +
         (file.zstd ? zstd_compress_memory(file.zstd_level, payload) : 0);
}

}  // namespace

uint64_t encode_memory(const EncodePlan& plan, const MemoryNeed& picture) {
  return std::max(preparing_memory(plan, picture),
                  encoding_memory(plan, picture_to_encode(plan, picture)));
}

}  // namespace tessera
