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

Result<Image> to_rgba8(const ImageView& source) {
  TESSERA_ASSIGN_OR_RETURN(const Image bytes, convert_samples(source, SampleType::kU8));
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

void show_row(const Image& source, uint32_t y, uint8_t* out) {
  for (uint32_t x = 0; x < source.width(); ++x) {
    show_pixel(source.row<uint8_t>(y) + x * 4, x, y, out + x * kPanelChannels);
  }
}

}  // namespace

Result<Image> make_comparison_sheet(const ImageView& reference, const ImageView& test,
                                    double gain) {
  const uint32_t width = reference.info.width;
  const uint32_t height = reference.info.height;
  if (test.info.width != width || test.info.height != height) {
    return invalid_error("the two images differ in size");
  }
  TESSERA_ASSIGN_OR_RETURN(const Image left, to_rgba8(reference));
  TESSERA_ASSIGN_OR_RETURN(const Image middle, to_rgba8(test));
  ImageInfo info;
  info.width = 3 * width + 2 * kBarWidth;
  info.height = height;
  info.channels = kPanelChannels;
  TESSERA_ASSIGN_OR_RETURN(Image sheet, Image::create(info));
  const size_t panel = (size_t{width} + kBarWidth) * kPanelChannels;
  for (uint32_t y = 0; y < height; ++y) {
    uint8_t* row = sheet.row<uint8_t>(y);
    std::memset(row, kBarGrey, info.width * kPanelChannels);
    show_row(left, y, row);
    show_row(middle, y, row + panel);
    for (size_t i = 0; i < width * kPanelChannels; ++i) {
      const double error = std::abs(int{row[i]} - int{row[panel + i]}) * gain;
      row[2 * panel + i] = static_cast<uint8_t>(std::min(error, 255.0));
    }
  }
  return sheet;
}

}  // namespace tessera
