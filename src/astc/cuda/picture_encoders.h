// The drivers that are compiled: for blocks of any size, and for sizes with code of their own.
#pragma once

#include <span>

#include "astc/cuda/device_work.h"
#include "base/result.h"

namespace tessera {
class CudaMachine;
}

namespace tessera::astc {

#define TESSERA_PICTURE_ENCODER(name)                                         \
  Status encode_picture_##name(CudaMachine& machine, const DeviceWork& work); \
  Status measure_blocks_##name(CudaMachine& machine, const DeviceWork& work,  \
                               std::span<const uint32_t> places, std::span<float> errors)

TESSERA_PICTURE_ENCODER(any);
TESSERA_PICTURE_ENCODER(4x4);

#undef TESSERA_PICTURE_ENCODER

}  // namespace tessera::astc
