// Numbers as in Vulkan's VkFormat. HDR blocks are those of VK_EXT_texture_compression_astc_hdr,
// blocks with depth those of VK_EXT_texture_compression_astc_3d.
#include "containers/ktx2_format.h"

#include <algorithm>
#include <array>

#include "containers/astc_block_sizes.h"

namespace tessera {
namespace {

constexpr uint32_t kBc1RgbUnorm = 131;  // then RGB sRGB, RGBA UNORM, RGBA sRGB
constexpr uint32_t kBc1RgbaUnorm = 133;
constexpr uint32_t kBc1RgbaSrgb = 134;
constexpr uint32_t kAstc2dUnorm = 157;          // two a block size: UNORM, sRGB
constexpr uint32_t kAstc2dSfloat = 1000066000;  // one a block size
constexpr uint32_t kAstc3d = 1000288000;        // three a block size: UNORM, sRGB, SFLOAT

// Where `value` lies in a run of numbers, or nothing outside it.
std::optional<uint32_t> index_in_run(uint32_t value, uint32_t first, size_t count) {
  return value >= first && value - first < count ? std::optional(value - first) : std::nullopt;
}

template <size_t kCount>
std::optional<uint32_t> index_of(const std::array<BlockSize, kCount>& sizes,
                                 const BlockSize& block) {
  const auto at = std::find(sizes.begin(), sizes.end(), block);
  return at != sizes.end() ? std::optional(static_cast<uint32_t>(at - sizes.begin()))
                           : std::nullopt;
}

void set_astc(TextureInfo& info, const BlockSize& block, bool srgb, bool hdr) {
  info.format = TextureFormat::kAstc;
  info.block = block;
  info.srgb = srgb;
  info.hdr = hdr;
}

}  // namespace

bool set_vk_format(uint32_t vk_format, TextureInfo& info) {
  if (const auto i = index_in_run(vk_format, kBc1RgbUnorm, 4)) {
    info.format = TextureFormat::kBc1;
    info.block = {4, 4, 1};
    info.srgb = *i % 2 == 1;
    info.hdr = false;
    return true;
  }
  if (const auto i = index_in_run(vk_format, kAstc2dUnorm, 2 * kAstcBlockSizes2d.size())) {
    set_astc(info, kAstcBlockSizes2d[*i / 2], *i % 2 == 1, false);
    return true;
  }
  if (const auto i = index_in_run(vk_format, kAstc2dSfloat, kAstcBlockSizes2d.size())) {
    set_astc(info, kAstcBlockSizes2d[*i], false, true);
    return true;
  }
  if (const auto i = index_in_run(vk_format, kAstc3d, 3 * kAstcBlockSizes3d.size())) {
    set_astc(info, kAstcBlockSizes3d[*i / 3], *i % 3 == 1, *i % 3 == 2);
    return true;
  }
  return false;
}

std::optional<uint32_t> vk_format_of(const TextureInfo& info) {
  if (info.srgb && info.hdr) {
    return std::nullopt;
  }
  if (info.format == TextureFormat::kBc1) {
    const bool served = info.block == BlockSize{4, 4, 1} && !info.hdr;
    return served ? std::optional(info.srgb ? kBc1RgbaSrgb : kBc1RgbaUnorm) : std::nullopt;
  }
  if (const auto i = index_of(kAstcBlockSizes2d, info.block)) {
    return info.hdr ? kAstc2dSfloat + *i : kAstc2dUnorm + 2 * *i + (info.srgb ? 1 : 0);
  }
  if (const auto i = index_of(kAstcBlockSizes3d, info.block)) {
    return kAstc3d + 3 * *i + (info.srgb ? 1 : 0) + (info.hdr ? 2 : 0);
  }
  return std::nullopt;
}

}  // namespace tessera
