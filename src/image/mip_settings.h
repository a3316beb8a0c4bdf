// How mip levels are made.
#pragma once

#include <cstdint>
#include <optional>

namespace tessera {

enum class MipFilter : uint8_t {
  kBox,      // the mean of the texels below
  kKaiser,   // a sinc under a Kaiser window: sharper
  kLanczos,  // a sinc under a wider sinc: sharper still, with a little ringing
};

// What lies beyond the border of a picture, for filters that look there.
enum class MipEdge : uint8_t {
  kClamp,  // the texels of the border, again and again
  kWrap,   // the other side: textures that repeat
};

// Which channels of a picture are a normal, whose length is 1 at every level.
enum class NormalChannels : uint8_t {
  kNone,
  kRgb,       // x, y, z
  kRedAlpha,  // x in red, y in alpha; z follows from them and is positive
};

struct MipSettings {
  MipFilter filter = MipFilter::kBox;
  MipEdge edge = MipEdge::kClamp;
  NormalChannels normals = NormalChannels::kNone;
  // Of cut-outs: as many texels as in the largest level have at least this alpha (0…1) at every
  // level, so that leaves and fences do not fade away. Empty: alpha is left as the filter makes it.
  std::optional<double> coverage = std::nullopt;
  bool premultiplied = false;  // colours have been multiplied by alpha
};

}  // namespace tessera
