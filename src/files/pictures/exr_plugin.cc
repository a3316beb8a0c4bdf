// The plug-in that reads and writes pixels with the OpenEXR library.
#include "files/pictures/exr_plugin.h"

#include <OpenEXR/Iex.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfThreading.h>

#include <algorithm>
#include <cstdio>
#include <new>

namespace tessera {
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
class FileInput : public Imf::IStream {
 public:
  explicit FileInput(const ExrInput& input) : Imf::IStream("the file"), input_(input) {}

  bool read(char* target, int count) override {
    std::span<uint8_t> out(reinterpret_cast<uint8_t*>(target),
                           static_cast<size_t>(std::max(count, 0)));
    if (position_ > input_.size || out.size() > input_.size - position_) {
      throw Iex::InputExc("it ends too early");
    }
    if (position_ < input_.header.size()) {
      const ByteSpan source = input_.header.subspan(static_cast<size_t>(position_));
      const size_t part = std::min(out.size(), source.size());
      std::copy_n(source.begin(), part, out.begin());
      out = out.subspan(part);
      position_ += part;
    }
    if (!input_.read(input_.user, position_, out)) {
      throw Iex::InputExc("reading was stopped");
    }
    position_ += out.size();
    return position_ < input_.size;
  }
  uint64_t tellg() override { return position_; }
  void seekg(uint64_t position) override { position_ = position; }

 private:
  const ExrInput& input_;
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

Imf::PixelType sample_type(const ExrPixels& pixels) {
  return pixels.halves ? Imf::HALF : Imf::FLOAT;
}

Imf::FrameBuffer make_buffer(const ExrPixels& pixels, const Imath::Box2i& window) {
  const size_t sample_bytes = pixels.halves ? 2 : 4;
  Imf::FrameBuffer buffer;
  for (size_t c = 0; c < pixels.channel_count; ++c) {
    buffer.insert(pixels.channel_names[c],
                  Imf::Slice::Make(sample_type(pixels), pixels.data + c * sample_bytes, window,
                                   pixels.pixel_bytes, pixels.row_stride));
  }
  return buffer;
}

void read_pixels(const ExrInput& input, const ExrPixels& pixels, uint32_t first) {
  FileInput stream(input);
  Imf::InputFile file(stream, kNoThreads);
  if (!file.isComplete()) {
    throw Iex::InputExc("it is not complete");
  }
  Imath::Box2i window = file.header().dataWindow();
  window.min.y += static_cast<int>(first);
  window.max.y = window.min.y + static_cast<int>(pixels.height) - 1;
  file.setFrameBuffer(make_buffer(pixels, window));
  file.readPixels(window.min.y, window.max.y);
}

void write_pixels(const ExrPixels& pixels, Bytes& bytes) {
  Imf::Header header(static_cast<int>(pixels.width), static_cast<int>(pixels.height));
  header.compression() = Imf::ZIP_COMPRESSION;
  for (size_t c = 0; c < pixels.channel_count; ++c) {
    header.channels().insert(pixels.channel_names[c], Imf::Channel(sample_type(pixels)));
  }
  MemoryOutput stream(bytes);
  Imf::OutputFile file(stream, header, kNoThreads);
  file.setFrameBuffer(make_buffer(pixels, header.dataWindow()));
  file.writePixels(static_cast<int>(pixels.height));
}

// What `action` comes to; nothing that it throws goes on.
template <class Action>
ExrOutcome outcome_of(const Action& action) {
  ExrOutcome outcome;
  use_no_threads();
  try {
    action();
  } catch (const std::bad_alloc&) {
    outcome.kind = ExrOutcome::kNoMemory;
  } catch (const std::exception& error) {
    outcome.kind = ExrOutcome::kDamaged;
    std::snprintf(outcome.reason, sizeof outcome.reason, "%s", error.what());
  }
  return outcome;
}

}  // namespace

extern "C" void tessera_exr_functions_4(ExrFunctions* functions) {
  *functions = {[](const ExrInput& input, const ExrPixels& pixels, uint32_t first) {
                  return outcome_of([&] { read_pixels(input, pixels, first); });
                },
                [](const ExrPixels& pixels, Bytes& bytes) {
                  return outcome_of([&] { write_pixels(pixels, bytes); });
                }};
}

}  // namespace tessera
