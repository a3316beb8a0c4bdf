// OpenEXR pictures: what a file holds is found out here, pixels are the plug-in's.
#include "files/pictures/exr.h"

#include "files/pictures/decode_error.h"

#ifdef TESSERA_HAVE_OPENEXR
#include <dlfcn.h>

#include <algorithm>
#include <array>
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
  tessera_exr_functions_3(&functions);
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
  TESSERA_ASSIGN_OR_RETURN(const ExrHeader header, read_exr_header(bytes, bytes.size(), name));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<ExrChannel> channels, wanted_channels(header, name));
  TESSERA_ASSIGN_OR_RETURN(const ExrFunctions functions, load_functions());
  const ImageInfo info = info_of(header, channels);
  // The library unpacks a chunk, or a row of tiles, beside what it was.
  const MemoryNeed beside = {.file = bytes.size(), .scratch = 2 * header.held_bytes};
  TESSERA_ASSIGN_OR_RETURN(Image image, create_decoded_image(name, info, beside, budget));
  std::vector<const char*> names;
  names.reserve(channels.size());
  for (const ExrChannel& channel : channels) {
    names.push_back(channel.name.c_str());
  }
  const ExrStop stop = {
      [](const void* user) { return static_cast<const ReadBudget*>(user)->is_over(); }, &budget};
  const ExrOutcome outcome = functions.read(
      header.bytes, bytes,
      {names.data(), names.size(), info.sample == SampleType::kF16, image.row<uint8_t>(0),
       info.pixel_bytes(), image.row_stride(), header.width, header.height},
      stop);
  if (outcome.kind == ExrOutcome::kNoMemory) {
    return failed_error("cannot decode " + name + ": not enough memory");
  }
  if (outcome.kind != ExrOutcome::kDone) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    return invalid_content(name,
                           std::string("the OpenEXR data is damaged (") + outcome.reason + ")");
  }
  return image;
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

Result<Bytes> encode_exr(const ImageView&) {
  return unsupported_error("cannot write an OpenEXR file: this build was made without OpenEXR");
}

#endif

}  // namespace tessera
