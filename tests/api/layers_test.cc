// Arrays and cube maps through the C interface.
#include "api_testing.h"

namespace tessera_testing {
namespace {

struct Made {
  Buffer file;
  tessera_encode_report report = TESSERA_ENCODE_REPORT_INIT;
  std::string why;
  tessera_status status = TESSERA_OK;
};

Made made_of(const tessera_image& image, const char* container, const tessera_option* options,
             size_t count) {
  tessera_encode_options settings = options_of("bc1", "realtime");
  settings.container = container;
  settings.options = options;
  settings.option_count = count;
  settings.mips = 1;
  const Encoder encoder = make_encoder(settings);
  Made made;
  tessera_buffer* file = nullptr;
  tessera_error error = {};
  made.status =
      tessera_encode(encoder.get(), nullptr, &image, nullptr, &file, &made.report, &error);
  made.file.reset(file);
  made.why = error.message;
  return made;
}

tessera_image layers_of(const std::vector<uint8_t>& pixels, uint32_t layers) {
  tessera_image image = TESSERA_IMAGE_INIT;
  image.pixels = pixels.data();
  image.width = image.height = 8;
  image.layers = layers;
  return image;
}

constexpr tessera_option kCube[] = {{"cube", "1"}};

TEST(LayersTest, LayersBecomeAnArrayAndFacesACubeMap) {
  const std::vector<uint8_t> pixels(size_t{8} * 8 * 4 * 12, uint8_t{90});
  for (const char* const container : {"ktx2", "dds", "ktx"}) {
    for (const uint32_t layers : {6u, 12u}) {
      for (const size_t options : {size_t{0}, size_t{1}}) {
        const Made made = made_of(layers_of(pixels, layers), container, kCube, options);
        ASSERT_EQ(made.status, TESSERA_OK) << made.why;
        const uint32_t faces = options == 0 ? 1 : 6;
        EXPECT_EQ(made.report.layers, layers);
        EXPECT_EQ(made.report.faces, faces);
        tessera_file_info info = {};
        info.struct_size = sizeof info;
        ASSERT_EQ(tessera_inspect(tessera_buffer_data(made.file.get()),
                                  tessera_buffer_size(made.file.get()), nullptr, &info, nullptr),
                  TESSERA_OK);
        EXPECT_EQ(info.layers, layers);
        EXPECT_EQ(info.faces, faces);
        EXPECT_EQ(info.levels, 4u);
      }
    }
  }
}

TEST(LayersTest, OnePictureMayBeACubeMap) {
  const Picture panorama = make_sample(64, 32);
  const Made made = made_of(image_of(panorama), "ktx2", kCube, 1);
  ASSERT_EQ(made.status, TESSERA_OK) << made.why;
  EXPECT_EQ(made.report.width, 16u);
  EXPECT_EQ(made.report.layers, 6u);
}

TEST(LayersTest, WhatIsNoCubeMapIsRefused) {
  const std::vector<uint8_t> pixels(size_t{8} * 8 * 4 * 5);
  const Made made = made_of(layers_of(pixels, 5), "ktx2", kCube, 1);
  EXPECT_EQ(made.status, TESSERA_ERROR_USAGE);
  EXPECT_NE(made.why.find("six square faces"), std::string::npos) << made.why;
  const Picture odd = make_sample(40, 30);
  EXPECT_EQ(made_of(image_of(odd), "ktx2", kCube, 1).status, TESSERA_OK) << "a cross";
  const Picture wide = make_sample(44, 30);
  EXPECT_EQ(made_of(image_of(wide), "ktx2", kCube, 1).status, TESSERA_ERROR_INVALID);
}

}  // namespace
}  // namespace tessera_testing
