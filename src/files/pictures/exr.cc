// OpenEXR pictures: what a file holds is found out here, pixels are the plug-in's.
#include "files/pictures/exr.h"

#include "files/pictures/decode_error.h"

#ifdef TESSERA_HAVE_OPENEXR
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "files/pictures/exr_header.h"
#include "files/pictures/exr_plugin.h"
#endif

namespace tessera {

#ifdef TESSERA_HAVE_OPENEXR

namespace {

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

ImageInfo info_of(const ExrHeader& header, const std::vector<ExrChannel>& channels) {
  const bool halves = std::all_of(channels.begin(), channels.end(), [](const ExrChannel& channel) {
    return channel.sample == ExrSample::kHalf;
  });
  ImageInfo info = picture_info(header.width, header.height, static_cast<uint32_t>(channels.size()),
                                halves ? SampleType::kF16 : SampleType::kF32);
  info.color_space = ColorSpace::kLinear;
  return info;
}

// The plug-in is looked for where the program or library that holds this code has its own
// (RUNPATH), then where it was installed. It stays loaded.
Result<ExrFunctions> load_functions() {
#ifdef TESSERA_EXR_BUILT_IN
  ExrFunctions functions;
  tessera_exr_functions_4(&functions);
  return functions;
#else
  static void* const plugin = [] {
    void* const found = ::dlopen("tessera_exr.so", RTLD_NOW | RTLD_LOCAL);
    return found != nullptr
               ? found
               : ::dlopen(TESSERA_PLUGIN_FOLDER "/tessera_exr.so", RTLD_NOW | RTLD_LOCAL);
  }();
  using GetFunctions = void (*)(ExrFunctions*);
  const auto get_functions =
      plugin != nullptr ? reinterpret_cast<GetFunctions>(::dlsym(plugin, kExrFunctionsSymbol))
                        : nullptr;
  if (get_functions == nullptr) {
    return unsupported_error(
        "OpenEXR cannot be loaded: tessera_exr.so, or a library that it needs, "
        "is missing");
  }
  ExrFunctions functions;
  get_functions(&functions);
  return functions;
#endif
}

class ExrRowReader : public RowReader {
 public:
  ExrRowReader(const ByteSource& source, std::string name, const ReadBudget& budget)
      : source_(source), name_(std::move(name)), budget_(budget) {}

  // `head` is the beginning of the file, with all of its header.
  Status open(ByteSpan head) {
    TESSERA_ASSIGN_OR_RETURN(header_, read_exr_header(head, source_.size(), name_));
    TESSERA_ASSIGN_OR_RETURN(channels_, wanted_channels(header_, name_));
    TESSERA_ASSIGN_OR_RETURN(functions_, load_functions());
    info_ = info_of(header_, channels_);
    return {};
  }

  const ImageInfo& info() const override { return info_; }

  // Of the header there are our copy and those of the library.
  uint64_t scratch_bytes() const override {
    return header_.held_bytes + 4 * uint64_t{header_.bytes.size()};
  }

  uint32_t rows_together() const override { return header_.held_rows; }

  Status read(const MutableImageView& rows) override {
    std::vector<const char*> names;
    names.reserve(channels_.size());
    for (const ExrChannel& channel : channels_) {
      names.push_back(channel.name.c_str());
    }
    const ExrOutcome outcome = functions_.read(
        {header_.bytes, source_.size(), &ExrRowReader::read_file, this},
        {names.data(), names.size(), info_.sample == SampleType::kF16, rows.row<uint8_t>(0),
         info_.pixel_bytes(), rows.row_stride, info_.width, rows.info.height},
        next_);
    next_ += rows.info.height;
    if (outcome.kind == ExrOutcome::kDone) {
      return {};
    }
    if (outcome.kind == ExrOutcome::kNoMemory) {
      return failed_error("cannot decode " + name_ + ": not enough memory");
    }
    TESSERA_RETURN_IF_ERROR(budget_.check_time(name_));
    return invalid_content(name_,
                           std::string("the OpenEXR data is damaged (") + outcome.reason + ")");
  }

  Status rewind() override {
    next_ = 0;
    return {};
  }

 private:
  static bool read_file(const void* user, uint64_t offset, std::span<uint8_t> out) {
    const auto& reader = *static_cast<const ExrRowReader*>(user);
    return !reader.budget_.is_over() && reader.source_.read(offset, out);
  }

  const ByteSource& source_;
  std::string name_;
  const ReadBudget& budget_;
  ExrHeader header_;
  std::vector<ExrChannel> channels_;
  ExrFunctions functions_;
  ImageInfo info_;
  uint32_t next_ = 0;
};

}  // namespace

bool have_openexr() {
  return true;
}

Result<ImageInfo> read_exr_info(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const ExrHeader header, read_exr_header(head, file_bytes, name));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<ExrChannel> channels, wanted_channels(header, name));
  return info_of(header, channels);
}

Result<Image> decode_exr(ByteSpan bytes, const std::string& name, const ReadBudget& budget) {
  const MemorySource source(bytes, name);
  ExrRowReader reader(source, name, budget);
  TESSERA_RETURN_IF_ERROR(reader.open(bytes));
  const MemoryNeed beside = {.file = bytes.size(), .scratch = reader.scratch_bytes()};
  TESSERA_ASSIGN_OR_RETURN(Image image, create_decoded_image(name, reader.info(), beside, budget));
  TESSERA_RETURN_IF_ERROR(reader.read(image.mutable_view()));
  return image;
}

Result<std::unique_ptr<RowReader>> read_exr_by_rows(const ByteSource& source, ByteSpan head,
                                                    const std::string& name,
                                                    const ReadBudget& budget) {
  auto reader = std::make_unique<ExrRowReader>(source, name, budget);
  TESSERA_RETURN_IF_ERROR(reader->open(head));
  return std::unique_ptr<RowReader>(std::move(reader));
}

Result<Bytes> encode_exr(const ImageView& image) {
  static constexpr std::array<std::array<const char*, 4>, 4> kNames = {
      {{"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}}};
  TESSERA_ASSIGN_OR_RETURN(const ExrFunctions functions, load_functions());
  const ImageInfo& info = image.info;
  Bytes bytes;
  // The plug-in does not write to pixels that are to be written to a file.
  auto* const data = const_cast<uint8_t*>(image.data);
  const ExrOutcome outcome = functions.write(
      {kNames[info.channels - 1].data(), info.channels, info.sample == SampleType::kF16, data,
       info.pixel_bytes(), image.row_stride, info.width, info.height},
      bytes);
  if (outcome.kind == ExrOutcome::kNoMemory) {
    return failed_error("not enough memory to write an OpenEXR file");
  }
  if (outcome.kind != ExrOutcome::kDone) {
    return failed_error(std::string("cannot write an OpenEXR file: ") + outcome.reason);
  }
  return bytes;
}

#else

bool have_openexr() {
  return false;
}

Result<ImageInfo> read_exr_info(ByteSpan, uint64_t, const std::string& name) {
  return unsupported_content(name, "this build was made without OpenEXR");
}

Result<Image> decode_exr(ByteSpan, const std::string& name, const ReadBudget&) {
  return unsupported_content(name, "this build was made without OpenEXR");
}

Result<std::unique_ptr<RowReader>> read_exr_by_rows(const ByteSource&, ByteSpan,
                                                    const std::string& name, const ReadBudget&) {
  return unsupported_content(name, "this build was made without OpenEXR");
}

Result<Bytes> encode_exr(const ImageView&) {
  return unsupported_error("cannot write an OpenEXR file: this build was made without OpenEXR");
}

#endif

}  // namespace tessera
