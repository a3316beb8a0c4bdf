// The formats of this build.
#pragma once

#include <array>
#include <string_view>

#include "codec/codec.h"

namespace tessera {

// All names that the project knows, whether or not this build can encode them.
inline constexpr std::array<std::string_view, 3> kFormatNames = {"bc1", "astc", "fractal"};

// kUsage for a name that means nothing, kUnsupported for a format that this build lacks.
Result<const Codec*> find_codec(std::string_view name);
Result<const Codec*> find_codec(TextureFormat format);

}  // namespace tessera
