// Picture files in memory, where this build can read them.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera::api {

struct PictureFile {
  Image image;
  std::string type;  // "png"
};

// What the header of a picture file says.
struct PictureHeader {
  ImageInfo info;
  std::string type;     // "png"
  uint32_t levels = 1;  // of .ktx2 files; the largest one is the picture
};

// Both are kUnsupported in builds without files.
Result<PictureFile> decode_picture_file(ByteSpan bytes, const std::string& name,
                                        const ReadBudget& budget);
// `head` is the beginning of a file of `file_bytes`.
Result<PictureHeader> read_picture_header(ByteSpan head, uint64_t file_bytes,
                                          const std::string& name);

}  // namespace tessera::api
