// What is done to a picture before it is encoded.
#pragma once

#include "base/result.h"
#include "image/image.h"

namespace tessera {

struct PictureEdits {
  bool yflip = false;        // the last row becomes the first one
  bool premultiply = false;  // colours are multiplied by alpha, as light
  bool normalize = false;    // red, green and blue are normals, which get the length 1

  bool any() const { return yflip || premultiply || normalize; }
};

// A copy of the picture with all that, in that order.
Result<Image> edit_picture(const ImageView& picture, const PictureEdits& edits);

}  // namespace tessera
