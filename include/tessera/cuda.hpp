// Encoding and comparing of what lies in memory of a CUDA device, for programs that use CUDA
// themselves.
//
//   auto context = tessera::Context::create({.backend = "cuda"});
//   auto encoder = tessera::Encoder::create({.format = "astc", .block = "6x6"});
//   tessera::cuda::encode(*encoder, *context, pixels, pitch, width, height, blocks, bytes, stream);
#pragma once

#include <cuda_runtime_api.h>

#include "tessera/tessera.hpp"

namespace tessera::cuda {

inline tessera_device_image device_image(const void* pixels, size_t pitch, uint32_t width,
                                         uint32_t height) {
  tessera_device_image image = {};
  image.struct_size = sizeof image;
  image.pixels = pixels;
  image.row_bytes = pitch;
  image.width = width;
  image.height = height;
  return image;
}

// `pixels` are RGBA8, rows `pitch` bytes apart; `blocks` has room for `blocks_bytes`, which is what
// Encoder::payload_size() tells of such an image. The work goes on `stream`: wait for it before
// reading the blocks from elsewhere. The bytes are those of the CPU.
inline Status encode(const Encoder& encoder, const Context& context, const void* pixels,
                     size_t pitch, uint32_t width, uint32_t height, void* blocks,
                     size_t blocks_bytes, cudaStream_t stream = nullptr) {
  return encoder.encode_device_memory(device_image(pixels, pitch, width, height), blocks,
                                      blocks_bytes, stream, context);
}

// Compares two pictures of that size; all figures are those of tessera::compare(). The work goes on
// `stream`, and is done when the call comes back.
inline Result<Metrics> compare(const Context& context, const void* reference,
                               size_t reference_pitch, const void* test, size_t test_pitch,
                               uint32_t width, uint32_t height, cudaStream_t stream = nullptr,
                               uint32_t block_width = 4, uint32_t block_height = 4) {
  const tessera_device_image a = device_image(reference, reference_pitch, width, height);
  const tessera_device_image b = device_image(test, test_pitch, width, height);
  Metrics metrics = {};
  metrics.struct_size = sizeof metrics;
  tessera_error error = {};
  if (tessera_compare_device_memory(detail::handle_of(&context), &a, &b, block_width, block_height,
                                    stream, &metrics, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return metrics;
}

}  // namespace tessera::cuda
