// Which of Vulkan's format numbers a .ktx2 file gives to which blocks.
#pragma once

#include <cstdint>
#include <optional>

#include "containers/texture.h"

namespace tessera {

// Sets format, block, srgb and hdr. False for formats that are not served.
bool set_vk_format(uint32_t vk_format, TextureInfo& info);

// Nothing when there is no such format (sRGB and HDR at once, a block size that ASTC does not
// have). BC1 gets the number with alpha: a texture does not say whether its blocks use it.
std::optional<uint32_t> vk_format_of(const TextureInfo& info);

}  // namespace tessera
