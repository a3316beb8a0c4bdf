// OpenEXR files for the tests: put together here, or made by the library with settings of choice.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "files/pictures/exr.h"
#include "image/image.h"

#define SKIP_WITHOUT_OPENEXR()                                              \
  if (!have_openexr()) {                                                    \
    GTEST_SKIP() << "this build has no OpenEXR; its files were NOT tested"; \
  }

namespace tessera {

struct ExrChannelParts {
  std::string name;
  uint32_t type = 1;  // 0 integer, 1 half, 2 float
  uint32_t x_sampling = 1;
  uint32_t y_sampling = 1;
};

// A file of rows, each a chunk of its own.
struct ExrParts {
  uint32_t version = 2;
  int32_t left = 0, top = 0, right = 0, bottom = 0;
  std::vector<ExrChannelParts> channels;
  uint8_t compression = 0;
  std::string leave_out;  // the name of an attribute
  Bytes extra;            // further attributes
  std::vector<Bytes> rows;
};

Bytes build_exr(const ExrParts& parts);
Bytes exr_attribute(const std::string& name, const std::string& type, const Bytes& value);
Bytes exr_tiles(uint32_t width, uint32_t height);

// Numbers of compressions as in files; `tile` 0 gives rows. Empty in builds without the library.
Bytes library_exr(const Image& image, int compression, uint32_t tile);

}  // namespace tessera
