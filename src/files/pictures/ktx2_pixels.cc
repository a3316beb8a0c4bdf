// Reads .ktx2 files of pixels.
#include "files/pictures/ktx2_pixels.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/mip_levels.h"
#include "containers/ktx2_error.h"
#include "containers/ktx2_header.h"
#include "containers/stored_level.h"
#include "image/raw_pixels.h"

namespace tessera {
namespace {

// As the file stores them.
std::optional<ImageInfo> stored_info(const ktx2::Header& header) {
  const ktx2::PixelFormat* const format = ktx2::find_pixel_format(header.vk_format);
  if (header.identifier != ktx2::kIdentifier || format == nullptr) {
    return std::nullopt;
  }
  ImageInfo info;
  info.width = header.width;
  info.height = std::max(header.height, 1u);
  info.depth = std::max(header.depth, 1u);
  info.layers = std::max(header.layers, 1u);
  info.channels = format->channels;
  info.sample = format->sample;
  info.color_space = header.vk_format == format->srgb ? ColorSpace::kSrgb : ColorSpace::kLinear;
  return info;
}

// Of 8-bit samples.
void exchange_red_and_blue(Image& image) {
  const ImageInfo& info = image.info();
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      uint8_t* texel = image.row<uint8_t>(y, slice);
      for (uint32_t x = 0; x < info.width; ++x, texel += info.channels) {
        std::swap(texel[0], texel[2]);
      }
    }
  }
}

// Red and green with a blue of 0: two channels would be grey and alpha.
Result<Image> with_blue(const Image& red_green) {
  ImageInfo info = red_green.info();
  const size_t bytes = sample_bytes(info.sample);
  info.channels = 3;
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(info));
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      const uint8_t* from = red_green.row<uint8_t>(y, slice);
      uint8_t* to = image.row<uint8_t>(y, slice);
      for (uint32_t x = 0; x < info.width; ++x, from += 2 * bytes, to += 3 * bytes) {
        std::memcpy(to, from, 2 * bytes);
      }
    }
  }
  return image;
}

Status check(const ktx2::Header& header, const ImageInfo& info, const std::string& name) {
  if (header.width == 0) {
    return invalid_ktx2(name, "one of its sides is zero");
  }
  if (header.type_size != sample_bytes(info.sample)) {
    return invalid_ktx2(
        name, "typeSize of such pixels must be " + std::to_string(sample_bytes(info.sample)));
  }
  if (header.faces != 1) {
    return unsupported_error(name + " is a cube map, which is not supported");
  }
  const uint32_t levels = std::max(header.levels, 1u);  // 0: levels are to be made
  if (levels > mip_level_count(header.width, header.height, header.depth)) {
    return invalid_ktx2(name, "it claims " + std::to_string(header.levels) + " mip levels");
  }
  if (header.scheme != ktx2::kSchemeNone && header.scheme != ktx2::kSchemeZstd) {
    return unsupported_error(name + " uses supercompression scheme " +
                             std::to_string(header.scheme) +
                             "; only 0 (none) and 2 (Zstandard) are supported");
  }
  return {};
}

}  // namespace

bool looks_like_ktx2_pixels(ByteSpan bytes) {
  ByteReader reader(bytes);
  return stored_info(ktx2::read_header(reader)).has_value();
}

uint32_t ktx2_pixels_levels(ByteSpan head) {
  ByteReader reader(head);
  return std::max(ktx2::read_header(reader).levels, 1u);
}

Result<ImageInfo> read_ktx2_pixels_info(ByteSpan head, uint64_t /*file_bytes*/,
                                        const std::string& name) {
  ByteReader reader(head);
  const ktx2::Header header = ktx2::read_header(reader);
  auto info = stored_info(header);
  if (!info || !reader.ok()) {
    return invalid_ktx2(name, "it ends within its header");
  }
  TESSERA_RETURN_IF_ERROR(check(header, *info, name));
  info->channels = info->channels == 2 ? 3 : info->channels;
  return *info;
}

Result<Image> decode_ktx2_pixels(ByteSpan bytes, const std::string& name,
                                 const ReadBudget& budget) {
  ByteReader reader(bytes);
  const ktx2::Header header = ktx2::read_header(reader);
  const auto info = stored_info(header);
  if (!info) {
    return invalid_ktx2(name, "it holds no pixels of a known kind");
  }
  TESSERA_RETURN_IF_ERROR(check(header, *info, name));
  const std::vector<ktx2::Level> levels =
      ktx2::read_level_index(reader, std::max(header.levels, 1u));
  const ktx2::Section& section = levels.front().section;
  if (!reader.ok() || section.offset > bytes.size() ||
      section.length > bytes.size() - section.offset) {
    return invalid_ktx2(name, "its largest level ends behind the file");
  }
  TESSERA_RETURN_IF_ERROR(
      budget.check_pixels(name, info->width, info->height, uint64_t{info->depth} * info->layers));
  const bool is_zstd = header.scheme == ktx2::kSchemeZstd;
  const uint64_t stored = is_zstd ? levels.front().uncompressed_length : section.length;
  const StoredLevel level = {section.offset, section.length, stored, is_zstd};
  MemoryNeed need;
  need.file = bytes.size();
  need.pixels = info->pixel_count();
  need.width = info->width;
  need.height = info->height;
  // Red and green are copied to have a blue: two channels, and three made of them.
  need.picture = need.pixels * sample_bytes(info->sample) *
                 (info->channels == 2 ? 6 : std::max(info->channels, 4U));
  need.scratch = is_zstd ? stored + growing_memory(level, stored) : 0;
  TESSERA_RETURN_IF_ERROR(budget.check_memory(name, need));
  TESSERA_ASSIGN_OR_RETURN(const LevelBytes pixels,
                           read_stored_level(bytes, level, 0, stored, name, budget, need));
  TESSERA_ASSIGN_OR_RETURN(Image image, image_of_raw_pixels(pixels.span(), *info, name));
  if (ktx2::find_pixel_format(header.vk_format)->blue_first) {
    exchange_red_and_blue(image);
  }
  return info->channels == 2 ? with_blue(image) : Result<Image>(std::move(image));
}

}  // namespace tessera
