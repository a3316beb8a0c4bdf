// Encoding of what lies in memory of a CUDA device, for programs that use CUDA themselves.
//
//   auto context = tessera::Context::create({.backend = "cuda"});
//   auto encoder = tessera::Encoder::create({.format = "astc", .block = "6x6"});
//   tessera::cuda::encode(*encoder, *context, pixels, pitch, width, height, blocks, bytes, stream);
#pragma once

#include <cuda_runtime_api.h>

#include "tessera/tessera.hpp"

namespace tessera::cuda {

// `pixels` are RGBA8, rows `pitch` bytes apart; `blocks` has room for `blocks_bytes`, which is what
// Encoder::payload_size() tells of such an image. The work goes on `stream`: wait for it before
// reading the blocks from elsewhere. The bytes are those of the CPU.
inline Status encode(const Encoder& encoder, const Context& context, const void* pixels,
                     size_t pitch, uint32_t width, uint32_t height, void* blocks,
                     size_t blocks_bytes, cudaStream_t stream = nullptr) {
  tessera_device_image image = {};
  image.struct_size = sizeof image;
  image.pixels = pixels;
  image.row_bytes = pitch;
  image.width = width;
  image.height = height;
  return encoder.encode_device_memory(image, blocks, blocks_bytes, stream, context);
}

}  // namespace tessera::cuda
