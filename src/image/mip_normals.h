// Normals of a normal map as vectors, whose mean is a vector again.
#pragma once

#include "base/result.h"
#include "image/image.h"
#include "image/mip_settings.h"

namespace tessera {

struct NormalImage {
  Image vectors;  // three floats of length 1 a texel: x, y, z
  Image alpha;    // one float a texel; empty where the picture has none that is not 1
};

Result<NormalImage> read_normals(const ImageView& picture, NormalChannels channels);

// Gives all vectors the length 1 again.
void normalize(Image& vectors);

// The other way: with the samples and channels of `like`.
Result<Image> write_normals(const NormalImage& normals, const ImageInfo& like,
                            NormalChannels channels);

}  // namespace tessera
