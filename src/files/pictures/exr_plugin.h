// What the OpenEXR library does for us, behind plain pointers. OpenEXR and the libraries it needs
// take longer to load than all else that a short run of the command does, so they are in a plug-in
// of their own (tessera_exr.so), which is loaded when a picture of this type is met.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"

namespace tessera {

// Samples of an image, channel by channel.
struct ExrPixels {
  const char* const* channel_names = nullptr;  // in the image's order
  size_t channel_count = 0;
  bool halves = true;  // else floats
  uint8_t* data =
      nullptr;  // the first channel's sample of the upper left pixel; written to by read
  size_t pixel_bytes = 0;
  size_t row_stride = 0;  // bytes
  uint32_t width = 0;
  uint32_t height = 0;
};

struct ExrOutcome {
  enum Kind { kDone, kNoMemory, kDamaged } kind = kDone;
  char reason[200] = {};
};

// Asked before each piece of the file is read: true ends the reading, as if the file were damaged.
struct ExrStop {
  bool (*is_asked)(const void* user) = nullptr;
  const void* user = nullptr;
};

struct ExrFunctions {
  // `header` is what the library is to see instead of the file's first bytes.
  ExrOutcome (*read)(ByteSpan header, ByteSpan bytes, const ExrPixels& pixels,
                     const ExrStop& stop) = nullptr;
  // ZIP-compressed.
  ExrOutcome (*write)(const ExrPixels& pixels, Bytes& bytes) = nullptr;
};

// The plug-in's only symbol; the name changes with the types above.
inline constexpr const char* kExrFunctionsSymbol = "tessera_exr_functions_3";
extern "C" __attribute__((visibility("default"))) void tessera_exr_functions_3(
    ExrFunctions* functions);

}  // namespace tessera
