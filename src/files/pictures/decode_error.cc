// Words the errors of picture files and makes the image that a header asks for.
#include "files/pictures/decode_error.h"

namespace tessera {
namespace {

std::string decode_message(const std::string& name, std::string_view reason) {
  return "cannot decode " + name + ": " + std::string(reason);
}

}  // namespace

Error invalid_content(const std::string& name, std::string_view reason) {
  return invalid_error(decode_message(name, reason));
}

Error unsupported_content(const std::string& name, std::string_view reason) {
  return unsupported_error(decode_message(name, reason));
}

Status check_file_extent(const std::string& name, uint64_t width, uint64_t height) {
  if (width == 0 || height == 0) {
    return invalid_content(name, "its header says " + std::to_string(width) + "x" +
                                     std::to_string(height) + ", which has no pixels");
  }
  if (width > kMaxFileExtent || height > kMaxFileExtent) {
    return invalid_content(name, "its header says " + std::to_string(width) + "x" +
                                     std::to_string(height) +
                                     ", which is larger than 2^24 pixels per side");
  }
  return {};
}

std::string too_few_bytes_reason(uint64_t width, uint64_t height) {
  return "its header says " + std::to_string(width) + "x" + std::to_string(height) +
         ", but the file is too short to hold that many pixels";
}

ImageInfo picture_info(uint32_t width, uint32_t height, uint32_t channels, SampleType sample) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.channels = channels;
  info.sample = sample;
  info.color_space = ColorSpace::kSrgb;
  return info;
}

Result<Image> create_decoded_image(const std::string& name, const ImageInfo& info,
                                   const MemoryNeed& beside, const ReadBudget& budget) {
  TESSERA_RETURN_IF_ERROR(budget.check_pixels(name, info.width, info.height));
  const auto layout = layout_of(info);
  if (!layout) {
    return Error{layout.error().code, decode_message(name, layout.error().message)};
  }
  MemoryNeed need = beside;
  need.pixels = info.pixel_count();
  need.width = info.width;
  need.height = info.height;
  need.picture += layout->bytes;
  need.sample = static_cast<uint32_t>(sample_bytes(info.sample));
  TESSERA_RETURN_IF_ERROR(budget.check_memory(name, need));
  auto image = Image::create(info);
  if (!image.ok()) {
    return Error{image.error().code, decode_message(name, image.error().message)};
  }
  return image;
}

}  // namespace tessera
