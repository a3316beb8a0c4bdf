// Tests how the type of a picture file is found, and what cannot be written.
#include "files/pictures/image_file.h"

#include <gtest/gtest.h>

#include "test_files.h"

namespace tessera {
namespace {

TEST(ImageFile, TypeIsToldByContent) {
  const Image image = make_test_image(8, 8, 3);
  EXPECT_EQ(detect_image_file_type(*encode_image(image.view(), ImageFileType::kPng)),
            ImageFileType::kPng);
  EXPECT_EQ(detect_image_file_type(*encode_image(image.view(), ImageFileType::kPnm)),
            ImageFileType::kPnm);
  EXPECT_EQ(detect_image_file_type(*encode_image(image.view(), ImageFileType::kTga)),
            ImageFileType::kTga);
  EXPECT_EQ(detect_image_file_type(build_jpeg(image)), ImageFileType::kJpeg);
  BmpParts bmp;
  bmp.pixels = {1, 2, 3, 0};
  EXPECT_EQ(detect_image_file_type(build_bmp(bmp)), ImageFileType::kBmp);
}

TEST(ImageFile, OtherContentHasNoType) {
  for (const std::string text :
       {"", "P", "P6", "P8 1 1 255\n", "Px", "BM", "BMW cars are not bitmaps, are they?",
        "\xff\xd8", "\x89PNG", "#?RAD", "#?rgbe\n", "v/1", "GIF89a................",
        "just a text of more than eighteen bytes", "RIFF....WEBPVP8 .........."}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(detect_image_file_type(bytes_of(text)), std::nullopt);
  }
  EXPECT_EQ(detect_image_file_type(Bytes(100, 0)), std::nullopt);
  EXPECT_EQ(detect_image_file_type(Bytes(100, 255)), std::nullopt);
}

TEST(ImageFile, EmptyAndUnknownFilesAreInvalid) {
  expect_error({}, ErrorCode::kInvalid, "empty");
  expect_error(bytes_of("hello, this is a letter"), ErrorCode::kInvalid,
               "folder/picture is not a PNG, JPEG, PPM, PGM, TGA, BMP, OpenEXR or Radiance HDR "
               "file, nor a texture");
}

TEST(ImageFile, WritableTypeIsToldByExtension) {
  EXPECT_EQ(writable_type_of_name("a.png"), ImageFileType::kPng);
  EXPECT_EQ(writable_type_of_name("folder.tga/a.PNG"), ImageFileType::kPng);
  EXPECT_EQ(writable_type_of_name("a.b.ppm"), ImageFileType::kPnm);
  EXPECT_EQ(writable_type_of_name("a.Pgm"), ImageFileType::kPgm);
  EXPECT_EQ(writable_type_of_name("a.tga"), ImageFileType::kTga);
  EXPECT_EQ(writable_type_of_name("a.exr"), ImageFileType::kExr);
  EXPECT_EQ(writable_type_of_name("a.HDR"), ImageFileType::kHdr);
  for (const char* const name :
       {"", "png", "a", "a.jpg", "a.bmp", "a.png.txt", "a.png/b", "a.pn"}) {
    EXPECT_EQ(writable_type_of_name(name), std::nullopt) << name;
  }
}

TEST(ImageFile, TypesHaveNames) {
  EXPECT_EQ(image_file_type_name(ImageFileType::kPng), "PNG");
  EXPECT_EQ(image_file_type_name(ImageFileType::kJpeg), "JPEG");
  EXPECT_EQ(image_file_type_name(ImageFileType::kBmp), "BMP");
  EXPECT_EQ(image_file_type_name(ImageFileType::kExr), "OpenEXR");
  EXPECT_EQ(image_file_type_name(ImageFileType::kHdr), "Radiance HDR");
}

void expect_not_encodable(const ImageView& view, ErrorCode code, const std::string& part) {
  for (const ImageFileType type : {ImageFileType::kPng, ImageFileType::kPnm, ImageFileType::kTga}) {
    const auto file = encode_image(view, type);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(static_cast<int>(file.error().code), static_cast<int>(code));
    EXPECT_NE(file.error().message.find(part), std::string::npos) << file.error().message;
  }
}

TEST(ImageFile, RefusesToWriteHalfAndFloatSamples) {
  for (const SampleType sample : {SampleType::kF16, SampleType::kF32}) {
    ImageInfo info = make_test_image(4, 4, 3).info();
    info.sample = sample;
    const auto image = Image::create(info);
    ASSERT_TRUE(image.ok());
    expect_not_encodable(image->view(), ErrorCode::kUnsupported,
                         std::string(sample_type_name(sample)));
  }
}

TEST(ImageFile, RefusesToWriteIntegersToFloatFiles) {
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16}) {
    const Image image = make_test_image(4, 4, 3, sample);
    for (const ImageFileType type : {ImageFileType::kExr, ImageFileType::kHdr}) {
      const auto file = encode_image(image.view(), type);
      ASSERT_FALSE(file.ok());
      EXPECT_EQ(file.error().code, ErrorCode::kUnsupported);
      EXPECT_NE(file.error().message.find("half and float"), std::string::npos);
    }
  }
}

TEST(ImageFile, RefusesToWriteSeveralSlices) {
  ImageInfo info = make_test_image(4, 4, 3).info();
  info.layers = 2;
  const auto image = Image::create(info);
  ASSERT_TRUE(image.ok());
  expect_not_encodable(image->view(), ErrorCode::kUnsupported, "slices");
}

TEST(ImageFile, RefusesToWriteNoPixels) {
  expect_not_encodable(ImageView{}, ErrorCode::kInvalid, "no pixels");
}

}  // namespace
}  // namespace tessera
