// The one door to stb_image. It trusts headers and makes up pixels where a file ends too early, so
// tga.cc and bmp.cc check a file completely before it comes here.
#pragma once

#include <functional>
#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

// Refuses what the library's 32-bit sizes cannot hold: 2 GiB of file or of pixels.
Status check_stb_size(const std::string& name, uint64_t file_bytes, uint64_t width,
                      uint64_t height);

// A picture of many rows, read some rows at a time: the library cannot be stopped, so it gets small
// files, and the budget is asked between them.
struct StbRows {
  ImageInfo info;            // as the header says
  bool bottom_up = true;     // the file's first row is the picture's last one
  uint64_t row_bytes = 0;    // of a row in such a small file
  uint64_t extra_bytes = 0;  // of its header and palette
  // The file of `rows` rows, from the file's row `first` on. Called in the order of the rows.
  std::function<Result<Bytes>(uint32_t first, uint32_t rows)> make_file;
};

// `file_bytes` is the size of the whole file.
Result<Image> decode_with_stb(const StbRows& picture, const std::string& name, uint64_t file_bytes,
                              const ReadBudget& budget);

}  // namespace tessera
