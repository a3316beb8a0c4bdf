// The block sizes that ASTC allows, in the order in which Vulkan numbers its formats.
#pragma once

#include <array>

#include "containers/texture.h"

namespace tessera {

inline constexpr std::array<BlockSize, 14> kAstcBlockSizes2d = {{
    {4, 4, 1},
    {5, 4, 1},
    {5, 5, 1},
    {6, 5, 1},
    {6, 6, 1},
    {8, 5, 1},
    {8, 6, 1},
    {8, 8, 1},
    {10, 5, 1},
    {10, 6, 1},
    {10, 8, 1},
    {10, 10, 1},
    {12, 10, 1},
    {12, 12, 1},
}};

inline constexpr std::array<BlockSize, 10> kAstcBlockSizes3d = {{
    {3, 3, 3},
    {4, 3, 3},
    {4, 4, 3},
    {4, 4, 4},
    {5, 4, 4},
    {5, 5, 4},
    {5, 5, 5},
    {6, 5, 5},
    {6, 6, 5},
    {6, 6, 6},
}};

}  // namespace tessera
