// Makes picture files for the tests, and asks ImageMagick for theirs.
#include "test_files.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
// jpeglib.h needs <cstdio> before it.
#include <jpeglib.h>

#include "files/pictures/image_file.h"

namespace tessera {
namespace {

uint32_t hash(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

uint32_t crc32_of(const Bytes& bytes) {
  uint32_t crc = ~0u;
  for (const uint8_t byte : bytes) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    }
  }
  return ~crc;
}

void append_big_endian(Bytes& bytes, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<uint8_t>(value >> shift));
  }
}

void write_whole(const std::string& path, const uint8_t* data, size_t size) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  ASSERT_TRUE(out.good()) << path;
}

Bytes read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

// A folder of its own for each test program, removed at its end.
const std::string& scratch_folder() {
  struct Folder {
    std::string path = testing::TempDir() + "/tessera_imageio_" + std::to_string(getpid());
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

void run_imagemagick(const std::string& arguments) {
  const std::string command = std::string(IMAGEMAGICK_PROGRAM) + " " + arguments;
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << command;
}

Bytes rgba16_bytes(const Image& image) {
  Bytes bytes;
  ByteWriter writer(bytes);
  for (const uint16_t value : to_rgba16(image)) {
    writer.write(value);
  }
  return bytes;
}

}  // namespace

Image make_test_image(uint32_t width, uint32_t height, uint32_t channels, SampleType sample) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.channels = channels;
  info.sample = sample;
  Image image = std::move(Image::create(info).value());
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      for (uint32_t c = 0; c < channels; ++c) {
        const uint32_t noise = hash(x + 977 * y + 65537 * c);
        const uint32_t ramp = x * 40 + y * 30 * (c + 1) + c * 60;
        const size_t index = size_t{x} * channels + c;
        if (sample == SampleType::kU16) {
          image.row<uint16_t>(y)[index] = static_cast<uint16_t>(ramp * 257 + noise % 3000);
        } else {
          image.row<uint8_t>(y)[index] = static_cast<uint8_t>(ramp + noise % 11);
        }
      }
    }
  }
  return image;
}

void set_opaque(Image& image) {
  const uint32_t channels = image.info().channels;
  for (uint32_t y = 0; y < image.height(); ++y) {
    for (uint32_t x = 0; x < image.width(); ++x) {
      const size_t index = size_t{x} * channels + channels - 1;
      if (image.info().sample == SampleType::kU16) {
        image.row<uint16_t>(y)[index] = 65535;
      } else {
        image.row<uint8_t>(y)[index] = 255;
      }
    }
  }
}

std::vector<uint16_t> to_rgba16(const Image& image) {
  const uint32_t channels = image.info().channels;
  const bool wide = image.info().sample == SampleType::kU16;
  std::vector<uint16_t> result;
  for (uint32_t y = 0; y < image.height(); ++y) {
    for (size_t x = 0; x < image.width(); ++x) {
      const auto sample = [&](uint32_t channel) {
        const size_t index = x * channels + channel;
        return wide ? image.row<uint16_t>(y)[index]
                    : static_cast<uint16_t>(image.row<uint8_t>(y)[index] * 257);
      };
      for (uint32_t c = 0; c < 3; ++c) {
        result.push_back(sample(channels >= 3 ? c : 0));
      }
      result.push_back(image.info().has_alpha() ? sample(channels - 1) : uint16_t{65535});
    }
  }
  return result;
}

void expect_same_pixels(const Image& actual, const Image& expected) {
  ASSERT_EQ(actual.info(), expected.info());
  EXPECT_EQ(to_rgba16(actual), to_rgba16(expected));
}

Image decode_or_fail(ByteSpan bytes) {
  auto image = decode_image(bytes, "picture");
  if (!image.ok()) {
    ADD_FAILURE() << image.error().message;
    return {};
  }
  return std::move(image.value());
}

void expect_error(ByteSpan bytes, ErrorCode code, const std::string& part_of_message) {
  const auto image = decode_image(bytes, "folder/picture");
  ASSERT_FALSE(image.ok()) << "expected an error with: " << part_of_message;
  EXPECT_EQ(static_cast<int>(image.error().code), static_cast<int>(code)) << image.error().message;
  EXPECT_NE(image.error().message.find("folder/picture"), std::string::npos)
      << image.error().message;
  EXPECT_NE(image.error().message.find(part_of_message), std::string::npos)
      << image.error().message << "\nlacks: " << part_of_message;
}

Bytes bytes_of(const std::string& text) {
  return Bytes(text.begin(), text.end());
}

void append(Bytes& bytes, const Bytes& more) {
  for (const uint8_t byte : more) {
    bytes.push_back(byte);
  }
}

Bytes png_chunk(const std::string& type, const Bytes& content) {
  Bytes typed = bytes_of(type);
  append(typed, content);
  Bytes chunk;
  append_big_endian(chunk, static_cast<uint32_t>(content.size()));
  append(chunk, typed);
  append_big_endian(chunk, crc32_of(typed));
  return chunk;
}

Bytes zlib_stored(const Bytes& content) {
  Bytes stream = {0x78, 0x01};
  ByteWriter writer(stream);
  size_t position = 0;
  do {
    const size_t count = std::min<size_t>(content.size() - position, 65535);
    writer.write<uint8_t>(position + count == content.size() ? 1 : 0);
    writer.write(static_cast<uint16_t>(count));
    writer.write(static_cast<uint16_t>(~count));
    writer.write_bytes(ByteSpan(content).subspan(position, count));
    position += count;
  } while (position < content.size());
  uint32_t low = 1;
  uint32_t high = 0;
  for (const uint8_t byte : content) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  append_big_endian(stream, high << 16 | low);
  return stream;
}

Bytes build_png(const PngParts& parts) {
  Bytes header;
  append_big_endian(header, parts.width);
  append_big_endian(header, parts.height);
  append(header, {parts.bit_depth, parts.color_type, 0, 0, parts.interlace});
  Bytes file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  append(file, png_chunk("IHDR", header));
  for (const auto& [type, content] : parts.chunks_before_pixels) {
    append(file, png_chunk(type, content));
  }
  append(file, png_chunk("IDAT", zlib_stored(parts.scanlines)));
  append(file, png_chunk("IEND", {}));
  return file;
}

Bytes build_tga(const TgaParts& parts) {
  Bytes file;
  ByteWriter writer(file);
  writer.write<uint8_t>(0);
  writer.write(parts.color_map_type);
  writer.write(parts.image_type);
  writer.write(parts.map_first);
  writer.write(parts.map_length);
  writer.write(parts.map_bits);
  writer.write_zeros(4);
  writer.write(parts.width);
  writer.write(parts.height);
  writer.write(parts.pixel_bits);
  writer.write(parts.descriptor);
  writer.write_bytes(parts.rest);
  return file;
}

Bytes build_bmp(const BmpParts& parts) {
  Bytes info;
  ByteWriter writer(info);
  writer.write(parts.info_size);
  if (parts.info_size == 12) {
    writer.write(static_cast<uint16_t>(parts.width));
    writer.write(static_cast<uint16_t>(parts.height));
  } else {
    writer.write(static_cast<uint32_t>(parts.width));
    writer.write(static_cast<uint32_t>(parts.height));
  }
  writer.write(parts.planes);
  writer.write(parts.pixel_bits);
  if (parts.info_size > 12) {
    writer.write(parts.compression);
    writer.write_zeros(12);
    writer.write(parts.colors_used);
    writer.write_zeros(4);
    for (const uint32_t mask : parts.masks) {
      writer.write(mask);
    }
    if (info.size() < parts.info_size) {
      writer.write_zeros(parts.info_size - info.size());
    }
  }
  append(info, parts.palette);
  writer.write_zeros(parts.gap);

  Bytes file = {'B', 'M'};
  ByteWriter file_writer(file);
  file_writer.write(static_cast<uint32_t>(14 + info.size() + parts.pixels.size()));
  file_writer.write_zeros(4);
  file_writer.write(static_cast<uint32_t>(14 + info.size()));
  append(file, info);
  append(file, parts.pixels);
  return file;
}

Bytes build_jpeg(const Image& image, const JpegOptions& options) {
  jpeg_compress_struct library = {};
  jpeg_error_mgr errors = {};
  library.err = jpeg_std_error(&errors);  // ends the program on an error: fine in a test
  jpeg_create_compress(&library);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&library, &buffer, &size);
  library.image_width = image.width();
  library.image_height = image.height();
  library.input_components = static_cast<int>(image.info().channels);
  library.in_color_space = options.cmyk                 ? JCS_CMYK
                           : image.info().channels == 1 ? JCS_GRAYSCALE
                                                        : JCS_RGB;
  jpeg_set_defaults(&library);
  jpeg_set_quality(&library, options.quality, TRUE);
  library.arith_code = options.arithmetic ? TRUE : FALSE;
  std::vector<jpeg_scan_info> scans;
  if (options.progressive) {
    jpeg_simple_progression(&library);
  } else if (options.one_scan_per_coefficient) {
    const int components = library.num_components;
    scans.push_back({components, {0, 1, 2, 3}, 0, 0, 0, 0});
    for (int component = 0; component < components; ++component) {
      for (int i = 1; i < 64; ++i) {
        scans.push_back({1, {component, 0, 0, 0}, i, i, 0, 0});
      }
    }
    library.scan_info = scans.data();
    library.num_scans = static_cast<int>(scans.size());
  }
  jpeg_start_compress(&library, TRUE);
  for (uint32_t y = 0; y < image.height(); ++y) {
    auto* row = const_cast<uint8_t*>(image.row<uint8_t>(y));
    jpeg_write_scanlines(&library, &row, 1);
  }
  jpeg_finish_compress(&library);
  jpeg_destroy_compress(&library);
  Bytes bytes(buffer, buffer + size);
  std::free(buffer);
  return bytes;
}

bool have_imagemagick() {
  return std::string(IMAGEMAGICK_PROGRAM) != "";
}

Bytes imagemagick_file(const Image& image, const std::string& options,
                       const std::string& extension) {
  const std::string in = scratch_folder() + "/in.raw";
  const std::string out = scratch_folder() + "/out." + extension;
  const Bytes raw = rgba16_bytes(image);
  write_whole(in, raw.data(), raw.size());
  run_imagemagick("-size " + std::to_string(image.width()) + "x" + std::to_string(image.height()) +
                  " -depth 16 -endian LSB rgba:" + in + " " + options + " " + out);
  return read_whole(out);
}

std::vector<uint16_t> imagemagick_pixels(const Bytes& file, const std::string& extension,
                                         const std::string& options) {
  const std::string in = scratch_folder() + "/file." + extension;
  const std::string out = scratch_folder() + "/pixels.raw";
  write_whole(in, file.data(), file.size());
  // Without -auto-orient it keeps the rows of a bottom-up TGA file as they are stored.
  run_imagemagick(in + " " + options + " -auto-orient -depth 16 -endian LSB rgba:" + out);
  const Bytes raw = read_whole(out);
  std::vector<uint16_t> result;
  ByteReader reader(raw);
  while (reader.remaining() >= 2) {
    result.push_back(reader.read<uint16_t>());
  }
  return result;
}

void expect_as_imagemagick_sees_it(const Bytes& file, const std::string& extension,
                                   uint32_t channels, SampleType sample) {
  const auto image = decode_image(file, "picture." + extension);
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_EQ(image->info().channels, channels);
  EXPECT_EQ(static_cast<int>(image->info().sample), static_cast<int>(sample));
  EXPECT_EQ(static_cast<int>(image->info().color_space), static_cast<int>(ColorSpace::kSrgb));
  EXPECT_EQ(to_rgba16(*image), imagemagick_pixels(file, extension));
}

}  // namespace tessera
