// Numbers of .dds files that the reader, the writer and the rules share. Names as in Microsoft's
// "Programming Guide for DDS".
#pragma once

#include <cstdint>

namespace tessera::dds {

inline constexpr uint32_t kMagic = 0x20534444;       // "DDS "
inline constexpr uint32_t kFourCcDx10 = 0x30315844;  // "DX10"

inline constexpr uint32_t kFlagsRequired =
    0x1 | 0x2 | 0x4 | 0x1000;  // caps, height, width, pixel format
inline constexpr uint32_t kFlagMipMapCount = 0x20000;
inline constexpr uint32_t kFlagLinearSize = 0x80000;
inline constexpr uint32_t kFlagDepth = 0x800000;
inline constexpr uint32_t kPixelFormatFourCc = 0x4;
inline constexpr uint32_t kCapsComplex = 0x8;
inline constexpr uint32_t kCapsTexture = 0x1000;
inline constexpr uint32_t kCapsMipMap = 0x400000;
inline constexpr uint32_t kCaps2CubeMap = 0x200;
inline constexpr uint32_t kCaps2AllFaces = 0xFC00;
inline constexpr uint32_t kCaps2Volume = 0x200000;
inline constexpr uint32_t kMiscCubeMap = 0x4;
inline constexpr uint32_t kDimension2d = 3;  // D3D10_RESOURCE_DIMENSION_TEXTURE2D
inline constexpr uint32_t kDimension3d = 4;

}  // namespace tessera::dds
