// Draws the original, the result and their error side by side.
#include "image/comparison_sheet.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "image/convert.h"

namespace tessera {
namespace {

constexpr uint32_t kBarWidth = 8;  // pixels between the pictures
constexpr uint8_t kBarGrey = 128;
constexpr uint32_t kCheckSide = 8;  // pixels
constexpr size_t kPanelChannels = 3;

// Some rows at a time: copies of whole pictures would take more memory than the sheet.
uint32_t rows_at_once(uint32_t width) {
  constexpr uint32_t kPixels = 1U << 16;
  return std::max(1U, kPixels / std::max(1U, width));
}

Result<Image> to_rgba8(const ImageView& source, uint32_t y, uint32_t count) {
  ImageView rows = source;
  rows.data = source.row<uint8_t>(y);
  rows.info.height = count;
  rows.info.depth = rows.info.layers = rows.info.faces = 1;
  TESSERA_ASSIGN_OR_RETURN(const Image bytes, convert_samples(rows, SampleType::kU8));
  return convert_channels(bytes.view(), 4);
}

// Blends one pixel over the checkerboard.
void show_pixel(const uint8_t* rgba, uint32_t x, uint32_t y, uint8_t* out) {
  const int background = ((x / kCheckSide + y / kCheckSide) % 2) != 0 ? 153 : 102;
  for (size_t c = 0; c < kPanelChannels; ++c) {
    const int alpha = rgba[3];
    out[c] = static_cast<uint8_t>((rgba[c] * alpha + background * (255 - alpha) + 127) / 255);
  }
}

// One row of `source`, which is the row `y` of the picture.
void show_row(const Image& source, uint32_t row, uint32_t y, uint8_t* out) {
  for (uint32_t x = 0; x < source.width(); ++x) {
    show_pixel(source.row<uint8_t>(row) + x * 4, x, y, out + x * kPanelChannels);
  }
}

}  // namespace

bool is_long_and_thin(const ImageInfo& picture) {
  constexpr uint32_t kLong = 4096, kThin = 256;  // pixels
  return std::max(picture.width, picture.height) > kLong &&
         std::min(picture.width, picture.height) < kThin;
}

uint32_t sheet_bar_width(const ImageInfo& picture) {
  return is_long_and_thin(picture) ? std::min(kBarWidth, picture.width) : kBarWidth;
}

Status draw_comparison(const ImageView& reference, const ImageView& test, double gain,
                       const SheetPlaces& places, Image& sheet) {
  const uint32_t width = reference.info.width;
  const uint32_t height = reference.info.height;
  const uint32_t step = rows_at_once(width);
  for (uint32_t top = 0; top < height; top += step) {
    const uint32_t count = std::min(step, height - top);
    TESSERA_ASSIGN_OR_RETURN(const Image left, to_rgba8(reference, top, count));
    TESSERA_ASSIGN_OR_RETURN(const Image middle, to_rgba8(test, top, count));
    for (uint32_t row = 0; row < count; ++row) {
      uint8_t* const out = sheet.row<uint8_t>(places.y + top + row);
      uint8_t* const first = out + places.x[0] * kPanelChannels;
      uint8_t* const second = out + places.x[1] * kPanelChannels;
      uint8_t* const third = out + places.x[2] * kPanelChannels;
      show_row(left, row, top + row, first);
      show_row(middle, row, top + row, second);
      for (size_t i = 0; i < width * kPanelChannels; ++i) {
        const double error = std::abs(int{first[i]} - int{second[i]}) * gain;
        third[i] = static_cast<uint8_t>(std::min(error, 255.0));
      }
    }
  }
  return {};
}

Result<Image> make_comparison_sheet(const ImageView& reference, const ImageView& test,
                                    double gain) {
  const uint32_t width = reference.info.width;
  const uint32_t height = reference.info.height;
  if (test.info.width != width || test.info.height != height) {
    return invalid_error("the two images differ in size");
  }
  const uint32_t bar = sheet_bar_width(reference.info);
  ImageInfo info;
  info.width = 3 * width + 2 * bar;
  info.height = height;
  info.channels = kPanelChannels;
  TESSERA_ASSIGN_OR_RETURN(Image sheet, Image::create(info));
  for (uint32_t y = 0; y < height; ++y) {
    std::memset(sheet.row<uint8_t>(y), kBarGrey, info.width * kPanelChannels);
  }
  const SheetPlaces places = {{0, width + bar, 2 * (width + bar)}, 0};
  TESSERA_RETURN_IF_ERROR(draw_comparison(reference, test, gain, places, sheet));
  return sheet;
}

}  // namespace tessera
