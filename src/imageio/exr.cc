#include "imageio/exr.h"

#include "imageio/decode_error.h"

#ifdef TESSERA_HAVE_OPENEXR
#include <OpenEXR/Iex.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfThreading.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <vector>

#include "imageio/exr_header.h"
#endif

namespace tessera {

#ifdef TESSERA_HAVE_OPENEXR

namespace {

constexpr int kNoThreads = 0;

// The library's own threads stay asleep: callers decide about threads.
void use_no_threads() {
  static const bool done = [] {
    Imf::setGlobalThreadCount(kNoThreads);
    return true;
  }();
  static_cast<void>(done);
}

// The file, with another header of the same length in front.
class MemoryInput : public Imf::IStream {
 public:
  MemoryInput(ByteSpan header, ByteSpan bytes)
      : Imf::IStream("the file"), header_(header), bytes_(bytes) {}

  bool read(char* target, int count) override {
    const auto wanted = static_cast<size_t>(std::max(count, 0));
    if (position_ > bytes_.size() || wanted > bytes_.size() - position_) {
      throw Iex::InputExc("it ends too early");
    }
    for (size_t done = 0; done < wanted;) {
      const bool in_header = position_ < header_.size();
      const ByteSpan source = (in_header ? header_ : bytes_).subspan(position_);
      const size_t part = std::min(wanted - done, source.size());
      std::memcpy(target + done, source.data(), part);
      done += part;
      position_ += part;
    }
    return position_ < bytes_.size();
  }
  uint64_t tellg() override { return position_; }
  void seekg(uint64_t position) override { position_ = position; }

 private:
  ByteSpan header_;
  ByteSpan bytes_;
  uint64_t position_ = 0;
};

class MemoryOutput : public Imf::OStream {
 public:
  explicit MemoryOutput(Bytes& bytes) : Imf::OStream("the file"), bytes_(bytes) {}

  void write(const char* source, int count) override {
    const auto size = static_cast<size_t>(std::max(count, 0));
    if (position_ + size > bytes_.size()) {
      bytes_.resize(position_ + size);
    }
    std::copy_n(source, size, bytes_.begin() + static_cast<ptrdiff_t>(position_));
    position_ += size;
  }
  uint64_t tellp() override { return position_; }
  void seekp(uint64_t position) override { position_ = position; }

 private:
  Bytes& bytes_;
  uint64_t position_ = 0;
};

const ExrChannel* find_channel(const ExrHeader& header, std::string_view name) {
  const auto at = std::find_if(header.channels.begin(), header.channels.end(),
                               [&](const ExrChannel& channel) { return channel.name == name; });
  return at != header.channels.end() ? &*at : nullptr;
}

// The channels that make the image, in its order.
Result<std::vector<ExrChannel>> wanted_channels(const ExrHeader& header, const std::string& name) {
  const auto* const red = find_channel(header, "R");
  const auto* const green = find_channel(header, "G");
  const auto* const blue = find_channel(header, "B");
  const auto* const grey = find_channel(header, "Y");
  const auto* const alpha = find_channel(header, "A");
  std::vector<ExrChannel> wanted;
  if (red != nullptr && green != nullptr && blue != nullptr) {
    wanted = {*red, *green, *blue};
  } else if (grey != nullptr && find_channel(header, "RY") == nullptr) {
    wanted = {*grey};
  } else {
    return unsupported_content(name,
                               "only OpenEXR files with the channels R, G and B, or Y, can "
                               "be read");
  }
  if (alpha != nullptr) {
    wanted.push_back(*alpha);
  }
  for (const ExrChannel& channel : wanted) {
    if (channel.sample == ExrSample::kUint) {
      return unsupported_content(name, "its channel " + channel.name + " holds integers");
    }
    if (channel.x_sampling != 1 || channel.y_sampling != 1) {
      return unsupported_content(
          name, "its channel " + channel.name + " does not have a sample at every pixel");
    }
  }
  return wanted;
}

void read_pixels(const ExrHeader& header, ByteSpan bytes, const std::vector<ExrChannel>& channels,
                 Image& image) {
  MemoryInput stream(header.bytes, bytes);
  Imf::InputFile file(stream, kNoThreads);
  if (!file.isComplete()) {
    throw Iex::InputExc("it is not complete");
  }
  const Imath::Box2i window = file.header().dataWindow();
  const ImageInfo& info = image.info();
  const size_t bytes_a_sample = sample_bytes(info.sample);
  Imf::FrameBuffer buffer;
  for (size_t c = 0; c < channels.size(); ++c) {
    buffer.insert(channels[c].name,
                  Imf::Slice::Make(info.sample == SampleType::kF16 ? Imf::HALF : Imf::FLOAT,
                                   image.row<uint8_t>(0) + c * bytes_a_sample, window,
                                   info.pixel_bytes(), image.row_stride()));
  }
  file.setFrameBuffer(buffer);
  file.readPixels(window.min.y, window.max.y);
}

void write_pixels(const ImageView& image, Bytes& bytes) {
  static constexpr std::array<std::array<const char*, 4>, 4> kNames = {
      {{"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}}};
  const ImageInfo& info = image.info;
  const Imf::PixelType type = info.sample == SampleType::kF16 ? Imf::HALF : Imf::FLOAT;
  Imf::Header header(static_cast<int>(info.width), static_cast<int>(info.height));
  header.compression() = Imf::ZIP_COMPRESSION;
  Imf::FrameBuffer buffer;
  for (size_t c = 0; c < info.channels; ++c) {
    const char* const name = kNames[info.channels - 1][c];
    header.channels().insert(name, Imf::Channel(type));
    buffer.insert(name,
                  Imf::Slice::Make(type, image.data + c * sample_bytes(info.sample),
                                   header.dataWindow(), info.pixel_bytes(), image.row_stride));
  }
  MemoryOutput stream(bytes);
  Imf::OutputFile file(stream, header, kNoThreads);
  file.setFrameBuffer(buffer);
  file.writePixels(static_cast<int>(info.height));
}

}  // namespace

bool have_openexr() {
  return true;
}

Result<Image> decode_exr(ByteSpan bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const ExrHeader header, read_exr_header(bytes, name));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<ExrChannel> channels, wanted_channels(header, name));
  const bool halves = std::all_of(channels.begin(), channels.end(), [](const ExrChannel& channel) {
    return channel.sample == ExrSample::kHalf;
  });
  TESSERA_ASSIGN_OR_RETURN(Image image,
                           create_decoded_image(name, header.width, header.height,
                                                static_cast<uint32_t>(channels.size()),
                                                halves ? SampleType::kF16 : SampleType::kF32));
  image.set_color_space(ColorSpace::kLinear);
  use_no_threads();
  try {
    read_pixels(header, bytes, channels, image);
  } catch (const std::bad_alloc&) {
    return failed_error("cannot decode " + name + ": not enough memory");
  } catch (const std::exception& error) {
    return invalid_content(name, std::string("the OpenEXR data is damaged (") + error.what() + ")");
  }
  return image;
}

Result<Bytes> encode_exr(const ImageView& image) {
  use_no_threads();
  Bytes bytes;
  try {
    write_pixels(image, bytes);
  } catch (const std::bad_alloc&) {
    return failed_error("not enough memory to write an OpenEXR file");
  } catch (const std::exception& error) {
    return failed_error(std::string("cannot write an OpenEXR file: ") + error.what());
  }
  return bytes;
}

#else

bool have_openexr() {
  return false;
}

Result<Image> decode_exr(ByteSpan, const std::string& name) {
  return unsupported_content(name, "this build was made without OpenEXR");
}

Result<Bytes> encode_exr(const ImageView&) {
  return unsupported_error("cannot write an OpenEXR file: this build was made without OpenEXR");
}

#endif

}  // namespace tessera
