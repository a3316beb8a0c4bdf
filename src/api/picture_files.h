// Picture files in memory, where this build can read them.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera::api {

struct PictureFile {
  Image image;
  std::string type;  // "png"
};

// kUnsupported in builds without files.
Result<PictureFile> decode_picture_file(ByteSpan bytes, const std::string& name);

}  // namespace tessera::api
