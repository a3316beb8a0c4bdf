// What the tests of the C interface share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tessera/tessera.h"

namespace tessera_testing {

template <auto kDestroy>
struct Destroy {
  template <class Handle>
  void operator()(Handle* handle) const {
    kDestroy(handle);
  }
};
using Picture = std::unique_ptr<tessera_picture, Destroy<tessera_picture_destroy>>;
using Buffer = std::unique_ptr<tessera_buffer, Destroy<tessera_buffer_destroy>>;
using Context = std::unique_ptr<tessera_context, Destroy<tessera_context_destroy>>;
using Encoder = std::unique_ptr<tessera_encoder, Destroy<tessera_encoder_destroy>>;
using TileEncoder = std::unique_ptr<tessera_tile_encoder, Destroy<tessera_tile_encoder_destroy>>;
using Stop = std::unique_ptr<tessera_stop, Destroy<tessera_stop_destroy>>;

inline Picture make_sample(uint32_t width, uint32_t height, const char* kind = "photo") {
  tessera_picture* picture = nullptr;
  tessera_error error;
  EXPECT_EQ(tessera_make_sample(kind, width, height, 1, &picture, &error), TESSERA_OK)
      << error.message;
  return Picture(picture);
}

inline tessera_image image_of(const Picture& picture) {
  tessera_image image = TESSERA_IMAGE_INIT;
  EXPECT_EQ(tessera_picture_image(picture.get(), &image, nullptr), TESSERA_OK);
  return image;
}

inline tessera_encode_options options_of(const char* format, const char* preset = "fast") {
  tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
  options.format = format;
  options.preset = preset;
  return options;
}

inline Encoder make_encoder(const tessera_encode_options& options) {
  tessera_encoder* encoder = nullptr;
  tessera_error error;
  EXPECT_EQ(tessera_encoder_create(&options, &encoder, &error), TESSERA_OK) << error.message;
  return Encoder(encoder);
}

inline Context make_context(const tessera_context_options& options) {
  tessera_context* context = nullptr;
  tessera_error error;
  EXPECT_EQ(tessera_context_create(&options, &context, &error), TESSERA_OK) << error.message;
  return Context(context);
}

inline std::vector<uint8_t> bytes_of(const tessera_buffer* buffer) {
  const uint8_t* const data = tessera_buffer_data(buffer);
  return {data, data + tessera_buffer_size(buffer)};
}

inline std::vector<uint8_t> encode(const Encoder& encoder, tessera_context* context,
                                   const tessera_image& image) {
  tessera_buffer* file = nullptr;
  tessera_error error;
  EXPECT_EQ(tessera_encode(encoder.get(), context, &image, nullptr, &file, nullptr, &error),
            TESSERA_OK)
      << error.message;
  return bytes_of(Buffer(file).get());
}

}  // namespace tessera_testing
