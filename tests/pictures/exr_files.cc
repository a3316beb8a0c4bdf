// Makes OpenEXR files for the tests, byte by byte or by the library.
#include "exr_files.h"

#include "test_files.h"

#ifdef TESSERA_HAVE_OPENEXR
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStdIO.h>
#include <OpenEXR/ImfTiledOutputFile.h>
#endif

namespace tessera {
namespace {

Bytes numbers(const std::vector<int32_t>& values) {
  Bytes bytes;
  ByteWriter writer(bytes);
  for (const int32_t value : values) {
    writer.write(static_cast<uint32_t>(value));
  }
  return bytes;
}

Bytes channel_list(const std::vector<ExrChannelParts>& channels) {
  Bytes bytes;
  ByteWriter writer(bytes);
  for (const ExrChannelParts& channel : channels) {
    append(bytes, bytes_of(channel.name));
    writer.write_zeros(1);
    writer.write(channel.type);
    writer.write_zeros(4);
    writer.write(channel.x_sampling);
    writer.write(channel.y_sampling);
  }
  writer.write_zeros(1);
  return bytes;
}

Bytes header_of(const ExrParts& parts) {
  Bytes bytes = {0x76, 0x2f, 0x31, 0x01};
  ByteWriter writer(bytes);
  writer.write(parts.version);
  const auto add = [&](const std::string& name, const std::string& type, const Bytes& value) {
    if (name != parts.leave_out) {
      append(bytes, exr_attribute(name, type, value));
    }
  };
  const Bytes one = {0, 0, 0x80, 0x3f};  // as a float
  add("channels", "chlist", channel_list(parts.channels));
  add("compression", "compression", {parts.compression});
  add("dataWindow", "box2i", numbers({parts.left, parts.top, parts.right, parts.bottom}));
  add("displayWindow", "box2i", numbers({0, 0, 9, 9}));
  add("lineOrder", "lineOrder", {0});
  add("pixelAspectRatio", "float", one);
  add("screenWindowCenter", "v2f", Bytes(8));
  add("screenWindowWidth", "float", one);
  append(bytes, parts.extra);
  bytes.push_back(0);
  return bytes;
}

}  // namespace

Bytes exr_attribute(const std::string& name, const std::string& type, const Bytes& value) {
  Bytes bytes = bytes_of(name);
  bytes.push_back(0);
  append(bytes, bytes_of(type));
  bytes.push_back(0);
  ByteWriter(bytes).write(static_cast<uint32_t>(value.size()));
  append(bytes, value);
  return bytes;
}

Bytes exr_tiles(uint32_t width, uint32_t height) {
  Bytes value;
  ByteWriter writer(value);
  writer.write(width);
  writer.write(height);
  writer.write_zeros(1);
  return exr_attribute("tiles", "tiledesc", value);
}

Bytes build_exr(const ExrParts& parts) {
  Bytes bytes = header_of(parts);
  ByteWriter writer(bytes);
  uint64_t offset = bytes.size() + 8 * parts.rows.size();
  for (const Bytes& row : parts.rows) {
    writer.write(offset);
    offset += 8 + row.size();
  }
  int32_t y = parts.top;
  for (const Bytes& row : parts.rows) {
    writer.write(static_cast<uint32_t>(y++));
    writer.write(static_cast<uint32_t>(row.size()));
    writer.write_bytes(row);
  }
  return bytes;
}

#ifdef TESSERA_HAVE_OPENEXR

Bytes library_exr(const Image& image, int compression, uint32_t tile) {
  const ImageInfo& info = image.info();
  const Imf::PixelType type = info.sample == SampleType::kF16 ? Imf::HALF : Imf::FLOAT;
  const auto width = static_cast<int>(info.width);
  const auto height = static_cast<int>(info.height);
  Imf::Header header(width, height);
  header.compression() = static_cast<Imf::Compression>(compression);
  Imf::FrameBuffer buffer;
  for (size_t c = 0; c < info.channels; ++c) {
    const std::string name(1, info.channels <= 2 ? "YA"[c] : "RGBA"[c]);
    header.channels().insert(name, Imf::Channel(type));
    auto* const first = reinterpret_cast<char*>(const_cast<uint8_t*>(image.row<uint8_t>(0))) +
                        c * sample_bytes(info.sample);
    buffer.insert(name, Imf::Slice(type, first, info.pixel_bytes(), image.row_stride()));
  }
  Imf::StdOSStream stream;
  if (tile == 0) {
    Imf::OutputFile file(stream, header, 0);
    file.setFrameBuffer(buffer);
    file.writePixels(height);
  } else {
    header.setTileDescription({tile, tile, Imf::ONE_LEVEL});
    Imf::TiledOutputFile file(stream, header, 0);
    file.setFrameBuffer(buffer);
    file.writeTiles(0, file.numXTiles() - 1, 0, file.numYTiles() - 1);
  }
  return bytes_of(stream.str());
}

#else

Bytes library_exr(const Image&, int, uint32_t) {
  return {};
}

#endif

}  // namespace tessera
