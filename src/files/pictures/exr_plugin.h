// What the OpenEXR library does for us, behind plain pointers. OpenEXR and the libraries it needs
// take longer to load than all else that a short run of the command does, so they are in a plug-in
// of their own (tessera_exr.so), which is loaded when a picture of this type is met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

// The file.
struct ExrInput {
  ByteSpan header;  // what the library is to see instead of its first bytes
  uint64_t size = 0;
  // Fills `out` with what begins at `offset`. False ends the reading, as if the file were damaged.
  bool (*read)(const void* user, uint64_t offset, std::span<uint8_t> out) = nullptr;
  const void* user = nullptr;
};

struct ExrFunctions {
  // As many rows as `pixels` has, from the row `first` on.
  ExrOutcome (*read)(const ExrInput& input, const ExrPixels& pixels, uint32_t first) = nullptr;
  // ZIP-compressed.
  ExrOutcome (*write)(const ExrPixels& pixels, Bytes& bytes) = nullptr;
};

// The plug-in's only symbol; the name changes with the types above.
inline constexpr const char* kExrFunctionsSymbol = "tessera_exr_functions_4";
extern "C" __attribute__((visibility("default"))) void tessera_exr_functions_4(
    ExrFunctions* functions);

}  // namespace tessera
