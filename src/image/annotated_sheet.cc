// Puts names, figures and the worst block around a comparison sheet.
#include "image/annotated_sheet.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "image/comparison_sheet.h"
#include "image/metrics.h"
#include "image/synthetic_font.h"

namespace tessera {
namespace {

constexpr size_t kSheetChannels = 3;
constexpr uint32_t kGap = 8;           // pixels between panels; that of the plain sheet
constexpr uint32_t kLeastPanel = 216;  // so that labels of small pictures can be read
constexpr uint32_t kPadding = 5;       // around letters
constexpr uint32_t kBlocksShown = 7;   // in each direction, around the worst one
constexpr uint32_t kMostZoom = 24;
constexpr uint32_t kLongPicture = 1024;

using Rgb = std::array<uint8_t, kSheetChannels>;
constexpr Rgb kBackground = {24, 26, 29};
constexpr Rgb kInk = {236, 238, 240};
constexpr Rgb kMark = {255, 214, 10};

// Letters that names of files have, and texts in synthetic pictures have not.
constexpr FontGlyph kMoreGlyphs[] = {
    {'_', {{0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b11111}}},
    {',', {{0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b00100, 0b01000}}},
    {'+', {{0b00000, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0b00000}}},
    {'=', {{0b00000, 0b00000, 0b11111, 0b00000, 0b11111, 0b00000, 0b00000}}},
    {'(', {{0b00010, 0b00100, 0b01000, 0b01000, 0b01000, 0b00100, 0b00010}}},
    {')', {{0b01000, 0b00100, 0b00010, 0b00010, 0b00010, 0b00100, 0b01000}}},
};

const FontGlyph* find_glyph(char letter) {
  const char wanted =
      letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  for (const FontGlyph& glyph : kFontGlyphs) {
    if (glyph.letter == wanted) {
      return &glyph;
    }
  }
  for (const FontGlyph& glyph : kMoreGlyphs) {
    if (glyph.letter == wanted) {
      return &glyph;
    }
  }
  return nullptr;  // a space
}

struct Rect {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t width = 0;
  uint32_t height = 0;
};

// Draws on the sheet; what lies outside is left out.
class Pen {
 public:
  explicit Pen(Image& image) : image_(image) {}

  void fill(const Rect& rect, const Rgb& color) {
    const uint32_t right = std::min(rect.x + rect.width, image_.width());
    const uint32_t bottom = std::min(rect.y + rect.height, image_.height());
    for (uint32_t y = rect.y; y < bottom; ++y) {
      for (uint32_t x = rect.x; x < right; ++x) {
        std::copy(color.begin(), color.end(), image_.row<uint8_t>(y) + x * kSheetChannels);
      }
    }
  }

  void frame(const Rect& rect, uint32_t line, const Rgb& color) {
    fill({rect.x, rect.y, rect.width, line}, color);
    fill({rect.x, rect.y + rect.height - line, rect.width, line}, color);
    fill({rect.x, rect.y, line, rect.height}, color);
    fill({rect.x + rect.width - line, rect.y, line, rect.height}, color);
  }

  void text(uint32_t x, uint32_t y, uint32_t scale, std::string_view letters, const Rgb& color) {
    for (const char letter : letters) {
      if (const FontGlyph* glyph = find_glyph(letter); glyph != nullptr) {
        draw_glyph(x, y, scale, *glyph, color);
      }
      x += (kGlyphWidth + 1) * scale;
    }
  }

  // Lines between blocks that stay visible on light and on dark pixels.
  void halve_contrast(const Rect& rect) {
    constexpr int kMiddle = 384;  // of red, green and blue together
    for (uint32_t y = rect.y; y < rect.y + rect.height; ++y) {
      for (uint32_t x = rect.x; x < rect.x + rect.width; ++x) {
        uint8_t* rgb = image_.row<uint8_t>(y) + x * kSheetChannels;
        const int lift = rgb[0] + rgb[1] + rgb[2] < kMiddle ? 80 : 0;
        for (size_t c = 0; c < kSheetChannels; ++c) {
          rgb[c] = static_cast<uint8_t>(rgb[c] / 2 + lift);
        }
      }
    }
  }

 private:
  void draw_glyph(uint32_t x, uint32_t y, uint32_t scale, const FontGlyph& glyph,
                  const Rgb& color) {
    for (uint32_t row = 0; row < kGlyphHeight; ++row) {
      for (uint32_t column = 0; column < kGlyphWidth; ++column) {
        if (((glyph.rows[row] >> (kGlyphWidth - 1 - column)) & 1) != 0) {
          fill({x + column * scale, y + row * scale, scale, scale}, color);
        }
      }
    }
  }

  Image& image_;
};

std::string decibels(double psnr) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f dB", psnr);
  return psnr >= kInfinitePsnr ? "identical" : text;
}

// Where all is, in pixels of the sheet.
struct Layout {
  uint32_t width;  // of the pictures
  uint32_t height;
  uint32_t panel;   // width of a panel, with the room beside a small picture
  uint32_t letter;  // scale of the letters
  uint32_t label;   // height of a line of labels
  Rect region;      // the blocks that are enlarged, in pixels of the pictures
  Rect worst;       // the worst block, in the same
  uint32_t zoom;

  uint32_t left(uint32_t index) const { return index * (panel + kGap); }
  uint32_t second_row() const { return label + height + kGap; }
  uint32_t total_width() const { return 3 * panel + 2 * kGap; }
  uint32_t total_height() const { return second_row() + label + region.height * zoom; }
};

// From where on `shown` of `extent` pixels are shown, with the block in the middle.
uint32_t region_begin(uint32_t block, uint32_t block_side, uint32_t shown, uint32_t extent) {
  const uint32_t before = kBlocksShown / 2 * block_side;
  const uint32_t begin = block > before ? block - before : 0;
  const uint32_t last = (extent - shown + block_side - 1) / block_side * block_side;
  return std::min(begin, last);
}

Layout lay_out(uint32_t width, uint32_t height, const WorstBlock& worst,
               const SheetOptions& options) {
  Layout layout = {};
  layout.width = width;
  layout.height = height;
  layout.panel = std::max(width, kLeastPanel);
  layout.letter = layout.panel >= 1200 ? 3 : layout.panel >= 420 ? 2 : 1;
  layout.label = kGlyphHeight * layout.letter + 2 * kPadding;
  const uint32_t x = worst.x * options.block_width;
  const uint32_t y = worst.y * options.block_height;
  layout.worst = {x, y, std::min(options.block_width, width - x),
                  std::min(options.block_height, height - y)};
  const uint32_t across = std::min(kBlocksShown * options.block_width, width);
  const uint32_t down = std::min(kBlocksShown * options.block_height, height);
  layout.region.x = region_begin(x, options.block_width, across, width);
  layout.region.y = region_begin(y, options.block_height, down, height);
  layout.region.width = std::min(across, width - layout.region.x);
  layout.region.height = std::min(down, height - layout.region.y);
  layout.zoom = std::clamp(layout.panel / layout.region.width, 1U, kMostZoom);
  if (width > kLongPicture) {  // what is enlarged is hardly higher than the picture
    layout.zoom = std::clamp(std::max(height, 512U) / layout.region.height, 1U, layout.zoom);
  }
  return layout;
}

// The end of a name that is too long says more than its beginning.
std::string fit(const std::string& name, const std::string& figure, const Layout& layout) {
  const size_t room = (layout.panel - kPadding) / ((kGlyphWidth + 1) * layout.letter);
  const size_t taken = figure.empty() ? 0 : figure.size() + 2;
  const size_t left = room > taken ? room - taken : 0;
  std::string text = name;
  if (text.size() > left) {
    text = left > 2 ? ".." + text.substr(text.size() - (left - 2)) : "";
  }
  return figure.empty() ? text : text + (text.empty() ? "" : "  ") + figure;
}

// A rectangle of the sheet, enlarged, at another place of it.
void copy_enlarged(const Rect& from, uint32_t zoom, uint32_t x, uint32_t y, Image& sheet) {
  for (uint32_t row = 0; row < from.height * zoom; ++row) {
    const uint8_t* source = sheet.row<uint8_t>(from.y + row / zoom) + from.x * kSheetChannels;
    uint8_t* target = sheet.row<uint8_t>(y + row) + x * kSheetChannels;
    for (uint32_t column = 0; column < from.width * zoom; ++column) {
      std::memcpy(target + column * kSheetChannels, source + column / zoom * kSheetChannels,
                  kSheetChannels);
    }
  }
}

void draw_grid(const Layout& layout, const SheetOptions& options, uint32_t left, uint32_t top,
               Pen& pen) {
  const Rect& region = layout.region;
  for (uint32_t x = options.block_width; x < region.width; x += options.block_width) {
    pen.halve_contrast({left + x * layout.zoom, top, 1, region.height * layout.zoom});
  }
  for (uint32_t y = options.block_height; y < region.height; y += options.block_height) {
    pen.halve_contrast({left, top + y * layout.zoom, region.width * layout.zoom, 1});
  }
  pen.frame({left + (layout.worst.x - region.x) * layout.zoom,
             top + (layout.worst.y - region.y) * layout.zoom, layout.worst.width * layout.zoom,
             layout.worst.height * layout.zoom},
            std::min(2U, layout.zoom), kMark);
}

void draw_labels(const Layout& layout, const SheetOptions& options, const Metrics& metrics,
                 Pen& pen) {
  char gain[32];
  std::snprintf(gain, sizeof gain, "error x %g", options.gain);
  const WorstBlock& worst = metrics.worst_block;
  const std::string place = "worst block: " + std::to_string(worst.x) + "," +
                            std::to_string(worst.y) + " of " + std::to_string(options.block_width) +
                            "x" + std::to_string(options.block_height);
  const std::string labels[2][3] = {
      {fit(options.reference_name, "", layout),
       fit(options.test_name, decibels(metrics.psnr_rgb), layout), fit(gain, "", layout)},
      {fit(place, "", layout), fit("", decibels(worst.psnr_rgb), layout), fit(gain, "", layout)}};
  for (uint32_t row = 0; row < 2; ++row) {
    for (uint32_t i = 0; i < 3; ++i) {
      pen.text(layout.left(i) + kPadding, row * layout.second_row() + kPadding, layout.letter,
               labels[row][i], kInk);
    }
  }
}

}  // namespace

Result<Image> make_annotated_sheet(const ImageView& reference, const ImageView& test,
                                   const SheetOptions& options) {
  if (options.block_width == 0 || options.block_height == 0) {
    return invalid_error("blocks without pixels");
  }
  if (test.info.width != reference.info.width || test.info.height != reference.info.height) {
    return invalid_error("the two images differ in size");
  }
  if (is_long_and_thin(reference.info)) {
    return make_comparison_sheet(reference, test, options.gain);
  }
  ImageView slices[2] = {reference, test};
  slices[0].info.depth = slices[1].info.depth = 1;
  slices[0].info.layers = slices[1].info.layers = 1;
  TESSERA_ASSIGN_OR_RETURN(
      const Metrics metrics,
      compute_metrics(slices[0], slices[1], {options.block_width, options.block_height, false}));
  const Layout layout =
      lay_out(reference.info.width, reference.info.height, metrics.worst_block, options);
  ImageInfo info;
  info.width = layout.total_width();
  info.height = layout.total_height();
  info.channels = kSheetChannels;
  TESSERA_ASSIGN_OR_RETURN(Image sheet, Image::create(info));
  Pen pen(sheet);
  pen.fill({0, 0, info.width, info.height}, kBackground);
  const SheetPlaces places = {{layout.left(0), layout.left(1), layout.left(2)}, layout.label};
  TESSERA_RETURN_IF_ERROR(draw_comparison(slices[0], slices[1], options.gain, places, sheet));
  const uint32_t zoom_top = layout.second_row() + layout.label;
  for (uint32_t i = 0; i < 3; ++i) {
    Rect region = layout.region;
    region.x += layout.left(i);
    region.y += layout.label;
    copy_enlarged(region, layout.zoom, layout.left(i), zoom_top, sheet);
    draw_grid(layout, options, layout.left(i), zoom_top, pen);
  }
  pen.frame({layout.left(2) + layout.region.x, layout.label + layout.region.y, layout.region.width,
             layout.region.height},
            1, kMark);
  draw_labels(layout, options, metrics, pen);
  return sheet;
}

}  // namespace tessera
