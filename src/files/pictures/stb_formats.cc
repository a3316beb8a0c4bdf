// Reads checked TGA and BMP files with stb_image.
#include "files/pictures/stb_formats.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <string_view>

#include "files/pictures/decode_error.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_SIMD
#ifdef __GNUC__
// Only stbi_load_from_memory and two small functions are called.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image.h>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

namespace tessera {
namespace {

struct FreePixels {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

// Of a small file and its pixels: some milliseconds of the library's time.
constexpr uint64_t kBandBytes = uint64_t{1} << 20;
constexpr uint32_t kMostChannels = 4;  // of the library's pixels

// A small file to rows of the image, from `top` on.
Status decode_rows(ByteSpan file, const std::string& name, Image& image, uint32_t top,
                   uint32_t rows) {
  const ImageInfo& info = image.info();
  int width = 0;
  int height = 0;
  int channels = 0;
  const std::unique_ptr<stbi_uc, FreePixels> pixels(
      stbi_load_from_memory(file.data(), static_cast<int>(file.size()), &width, &height, &channels,
                            static_cast<int>(info.channels)));
  if (pixels == nullptr) {
    const std::string_view reason = stbi_failure_reason();
    if (reason == "outofmem") {
      return failed_error("cannot decode " + name + ": not enough memory");
    }
    return invalid_content(name, "its content is damaged (" + std::string(reason) + ")");
  }
  if (static_cast<uint32_t>(width) != info.width || static_cast<uint32_t>(height) != rows) {
    return invalid_content(name, "its header says two different sizes");
  }
  const size_t row_bytes = info.width * info.pixel_bytes();
  for (uint32_t y = 0; y < rows; ++y) {
    std::memcpy(image.row<uint8_t>(top + y), pixels.get() + y * row_bytes, row_bytes);
  }
  return {};
}

}  // namespace

Status check_stb_size(const std::string& name, uint64_t file_bytes, uint64_t width,
                      uint64_t height) {
  if (file_bytes > INT_MAX || width * height > INT_MAX / 4) {
    return unsupported_content(name, "TGA and BMP files of 2 GiB and more cannot be read");
  }
  return {};
}

Result<Image> decode_with_stb(const StbRows& picture, const std::string& name, uint64_t file_bytes,
                              const ReadBudget& budget) {
  const ImageInfo& info = picture.info;
  const uint64_t pixel_row = info.width * uint64_t{kMostChannels};
  const uint64_t band_row = picture.row_bytes + pixel_row;
  const auto rows_of_a_band = static_cast<uint32_t>(
      std::clamp<uint64_t>(kBandBytes / std::max<uint64_t>(band_row, 1), 1, info.height));
  MemoryNeed need;
  need.file = file_bytes;
  need.scratch = picture.extra_bytes + rows_of_a_band * band_row;
  TESSERA_ASSIGN_OR_RETURN(Image image, create_decoded_image(name, info, need, budget));
  for (uint32_t first = 0; first < info.height; first += rows_of_a_band) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    const uint32_t rows = std::min(rows_of_a_band, info.height - first);
    TESSERA_ASSIGN_OR_RETURN(const Bytes file, picture.make_file(first, rows));
    const uint32_t top = picture.bottom_up ? info.height - first - rows : first;
    TESSERA_RETURN_IF_ERROR(decode_rows(file, name, image, top, rows));
  }
  return image;
}

}  // namespace tessera
