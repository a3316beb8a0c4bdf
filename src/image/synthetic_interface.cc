// A desktop full of windows: flat areas, one-pixel lines, sharp edges of saturated colour, and
// small text. What block compressors find hardest after noise.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "image/synthetic_font.h"
#include "image/synthetic_noise.h"
#include "image/synthetic_pictures.h"

namespace tessera {
namespace {

using Rgb = uint32_t;  // 0xRRGGBB

struct Rect {
  int32_t x, y, width, height;
};

Rect inset(const Rect& rect, int32_t by) {
  return {rect.x + by, rect.y + by, rect.width - 2 * by, rect.height - 2 * by};
}

// Draws into the image, cut off at a rectangle.
class Canvas {
 public:
  explicit Canvas(const MutableImageView& image)
      : image_(image),
        clip_{0, 0, static_cast<int32_t>(image.info.width),
              static_cast<int32_t>(image.info.height)} {}

  Canvas clipped(const Rect& rect) const {
    Canvas canvas = *this;
    const int32_t left = std::max(clip_.x, rect.x);
    const int32_t top = std::max(clip_.y, rect.y);
    const int32_t right = std::min(clip_.x + clip_.width, rect.x + rect.width);
    const int32_t bottom = std::min(clip_.y + clip_.height, rect.y + rect.height);
    canvas.clip_ = {left, top, std::max(0, right - left), std::max(0, bottom - top)};
    return canvas;
  }

  void set(int32_t x, int32_t y, Rgb color) const {
    if (x < clip_.x || y < clip_.y || x >= clip_.x + clip_.width || y >= clip_.y + clip_.height) {
      return;
    }
    uint8_t* pixel = image_.row<uint8_t>(static_cast<uint32_t>(y)) + 3 * static_cast<size_t>(x);
    pixel[0] = static_cast<uint8_t>(color >> 16);
    pixel[1] = static_cast<uint8_t>(color >> 8);
    pixel[2] = static_cast<uint8_t>(color);
  }

  void fill(const Rect& rect, Rgb color) const {
    const Rect part = clipped(rect).clip_;
    for (int32_t y = part.y; y < part.y + part.height; ++y) {
      for (int32_t x = part.x; x < part.x + part.width; ++x) {
        set(x, y, color);
      }
    }
  }

  void frame(const Rect& rect, Rgb color) const {
    fill({rect.x, rect.y, rect.width, 1}, color);
    fill({rect.x, rect.y + rect.height - 1, rect.width, 1}, color);
    fill({rect.x, rect.y, 1, rect.height}, color);
    fill({rect.x + rect.width - 1, rect.y, 1, rect.height}, color);
  }

  void line(int32_t x0, int32_t y0, int32_t x1, int32_t y1, Rgb color) const {
    const int32_t steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
    for (int32_t i = 0; i <= steps; ++i) {
      set(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, color);
    }
  }

  void disc(int32_t center_x, int32_t center_y, int32_t radius, Rgb color) const {
    for (int32_t y = -radius; y <= radius; ++y) {
      for (int32_t x = -radius; x <= radius; ++x) {
        if (x * x + y * y <= radius * radius + radius / 2) {
          set(center_x + x, center_y + y, color);
        }
      }
    }
  }

  // Returns where the next letter would start.
  int32_t text(int32_t x, int32_t y, std::string_view letters, Rgb color) const {
    for (const char letter : letters) {
      for (const FontGlyph& glyph : kFontGlyphs) {
        if (glyph.letter == letter) {
          draw_glyph(x, y, glyph, color);
        }
      }
      x += kGlyphWidth + 1;
    }
    return x;
  }

 private:
  void draw_glyph(int32_t x, int32_t y, const FontGlyph& glyph, Rgb color) const {
    for (int32_t row = 0; row < kGlyphHeight; ++row) {
      for (int32_t column = 0; column < kGlyphWidth; ++column) {
        if ((glyph.rows[static_cast<size_t>(row)] >> (kGlyphWidth - 1 - column)) & 1) {
          set(x + column, y + row, color);
        }
      }
    }
  }

  MutableImageView image_;
  Rect clip_;
};

struct Theme {
  Rgb desktop_top, desktop_bottom, panel, field, border, ink, faint_ink, title, title_ink, accent;
};

constexpr std::array<Theme, 3> kThemes = {{
    {0x2D6A9F, 0x163B5C, 0xECECEC, 0xFFFFFF, 0x8A8A8A, 0x1A1A1A, 0x707070, 0x2F5D8C, 0xFFFFFF,
     0xE0561B},
    {0x3C2A4D, 0x14202B, 0x2B2B2B, 0x1E1E1E, 0x555555, 0xD4D4D4, 0x808080, 0x3C3F41, 0xF0F0F0,
     0x3D9AE8},
    {0x5B8C6B, 0x2A5146, 0xF4EFE4, 0xFFFDF7, 0xA39A86, 0x2B2620, 0x857A68, 0x7A3B2E, 0xFFF3DD,
     0x2A7F9E},
}};

constexpr std::array<Rgb, 8> kVividColors = {0xE53935, 0x1E88E5, 0x43A047, 0xFDD835,
                                             0x8E24AA, 0xFB8C00, 0x00ACC1, 0xD81B60};

constexpr std::array<std::string_view, 24> kWords = {
    "BLOCK",  "PIXEL", "COLOR",  "TILE",  "IMAGE", "SIZE",  "PATH",  "NAME",
    "WIDTH",  "ALPHA", "MODE",   "LEVEL", "DATA",  "FILE",  "QUICK", "VIEW",
    "SEARCH", "NEXT",  "OUTPUT", "INDEX", "TABLE", "FRAME", "4X4",   "128"};

// One a kind of window, in the order of paint_window.
constexpr std::array<std::string_view, 5> kTitles = {"NOTES.TXT", "EXPORT AS...", "STATISTICS",
                                                     "PALETTE", "FILES"};

class Desktop {
 public:
  Desktop(const MutableImageView& image, uint32_t seed)
      : canvas_(image),
        width_(static_cast<int32_t>(image.info.width)),
        height_(static_cast<int32_t>(image.info.height)),
        random_(seed * 977u + 5u),
        theme_(kThemes[random_.bits() % kThemes.size()]) {}

  void paint() {
    paint_background();
    constexpr int64_t kAreaOfWindow = 46000;  // pixels of desktop
    const int64_t count = std::max<int64_t>(1, int64_t{width_} * height_ / kAreaOfWindow);
    for (int64_t i = 0; i < count; ++i) {
      theme_ = kThemes[random_.bits() % kThemes.size()];
      const int32_t widest = std::clamp(width_ * 2 / 3, 40, 330);
      const int32_t highest = std::clamp(height_ * 2 / 3, 30, 220);
      const int32_t width = random_.between(std::min(170, widest * 2 / 3), widest);
      const int32_t height = random_.between(std::min(120, highest * 2 / 3), highest);
      const Rect rect = {random_.between(-20, std::max(0, width_ - width + 30)),
                         random_.between(2, std::max(2, height_ - height)), width, height};
      paint_window(rect, static_cast<size_t>(i) % kTitles.size());
    }
    paint_task_bar();
  }

 private:
  void paint_background() {
    for (int32_t y = 0; y < height_; ++y) {
      const float t = static_cast<float>(y) / static_cast<float>(height_);
      Rgb color = 0;
      for (int shift = 0; shift <= 16; shift += 8) {
        const auto top = static_cast<float>((theme_.desktop_top >> shift) & 255u);
        const auto bottom = static_cast<float>((theme_.desktop_bottom >> shift) & 255u);
        color |= static_cast<uint32_t>(mix(top, bottom, t) + 0.5f) << shift;
      }
      canvas_.fill({0, y, width_, 1}, color);
    }
    for (int32_t y = 12; y + 40 < height_; y += 54) {  // icons at the left
      const Rgb color = vivid();
      canvas_.fill({14, y, 26, 22}, color);
      canvas_.frame({14, y, 26, 22}, 0xFFFFFF);
      canvas_.disc(27, y + 11, 6, 0xFFFFFF);
      canvas_.text(10, y + 28, word(), 0xFFFFFF);
    }
  }

  void paint_task_bar() {
    const int32_t top = height_ - 20;
    canvas_.fill({0, top, width_, 20}, 0x20242B);
    canvas_.fill({0, top, width_, 1}, 0x4A5260);
    canvas_.fill({3, top + 3, 40, 14}, 0x3D7EDB);
    canvas_.text(9, top + 7, "START", 0xFFFFFF);
    for (int32_t x = 50; x + 100 < width_ - 50; x += 100) {
      canvas_.fill({x, top + 3, 94, 14}, 0x343A45);
      canvas_.fill({x + 4, top + 6, 8, 8}, vivid());
      canvas_.text(x + 17, top + 7, kTitles[random_.bits() % kTitles.size()], 0xD8DCE4);
    }
    canvas_.text(width_ - 38, top + 7, "12:47", 0xFFFFFF);
  }

  void paint_window(const Rect& rect, size_t kind) {
    canvas_.fill({rect.x + 3, rect.y + 3, rect.width, rect.height}, 0x101418);  // shadow
    canvas_.fill(rect, theme_.panel);
    canvas_.frame(rect, theme_.border);
    canvas_.fill({rect.x + 1, rect.y + 1, rect.width - 2, 16}, theme_.title);
    canvas_.text(rect.x + 8, rect.y + 5, kTitles[kind], theme_.title_ink);
    canvas_.disc(rect.x + rect.width - 10, rect.y + 9, 4, 0xE5484D);
    canvas_.disc(rect.x + rect.width - 22, rect.y + 9, 4, 0xF5C042);
    canvas_.disc(rect.x + rect.width - 34, rect.y + 9, 4, 0x46B450);
    const Rect body = {rect.x + 1, rect.y + 17, rect.width - 2, rect.height - 18};
    const Canvas canvas = canvas_.clipped(body);
    switch (kind) {
      case 0:
        return paint_document(canvas, body);
      case 1:
        return paint_form(canvas, body);
      case 2:
        return paint_chart(canvas, body);
      case 3:
        return paint_palette(canvas, body);
      default:
        return paint_table(canvas, body);
    }
  }

  // Lines of text, some words in colour, as an editor shows code.
  void paint_document(const Canvas& canvas, const Rect& body) {
    int32_t x = canvas.text(body.x + 6, body.y + 4, "FILE", theme_.ink);
    x = canvas.text(x + 8, body.y + 4, "EDIT", theme_.ink);
    canvas.text(x + 8, body.y + 4, "HELP", theme_.ink);
    const Rect page = {body.x + 4, body.y + 15, body.width - 8, body.height - 19};
    canvas.fill(page, theme_.field);
    canvas.frame(page, theme_.border);
    const Canvas inside = canvas.clipped(inset(page, 3));
    for (int32_t y = page.y + 5; y < page.y + page.height; y += 10) {
      const int32_t end = page.x + random_.between(page.width / 3, page.width - 10);
      x = page.x + 6 + 12 * random_.between(0, 2);
      while (x < end) {
        const uint32_t style = random_.bits() % 8;
        const Rgb color = style == 0 ? theme_.accent : style == 1 ? theme_.faint_ink : theme_.ink;
        x = inside.text(x, y, word(), color) + 4;
      }
    }
    const int32_t selected = page.y + 4 + 10 * random_.between(1, 4);
    inside.fill({page.x + 5, selected, 80, 9}, theme_.accent);
    inside.text(page.x + 7, selected + 1, "SELECTION", 0xFFFFFF);
  }

  void paint_button(const Canvas& canvas, int32_t x, int32_t y, std::string_view label, Rgb face,
                    Rgb ink) {
    const auto letters = static_cast<int32_t>(label.size());
    const Rect rect = {x, y, 16 + letters * (kGlyphWidth + 1), 15};
    canvas.fill(rect, face);
    canvas.frame(rect, theme_.border);
    canvas.fill({x + 1, y + 1, rect.width - 2, 1}, 0xFFFFFF);
    canvas.text(x + 8, y + 4, label, ink);
  }

  // Fields, check boxes, sliders, a progress bar and two buttons.
  void paint_form(const Canvas& canvas, const Rect& body) {
    for (int32_t y = body.y + 8; y + 34 < body.y + body.height; y += 19) {
      canvas.text(body.x + 10, y + 3, word(), theme_.ink);
      const Rect field = {body.x + 62, y, body.width - 74, 13};
      const uint32_t kind = random_.bits() % 4;
      if (kind == 0) {
        canvas.fill({field.x, y + 1, 11, 11}, theme_.field);
        canvas.frame({field.x, y + 1, 11, 11}, theme_.border);
        canvas.line(field.x + 2, y + 6, field.x + 4, y + 9, theme_.accent);
        canvas.line(field.x + 4, y + 9, field.x + 8, y + 3, theme_.accent);
        canvas.text(field.x + 16, y + 3, word(), theme_.faint_ink);
      } else if (kind == 1) {
        canvas.fill({field.x, y + 5, field.width, 3}, theme_.border);
        const int32_t knob = field.x + random_.between(6, std::max(7, field.width - 6));
        canvas.fill({field.x, y + 5, knob - field.x, 3}, theme_.accent);
        canvas.disc(knob, y + 6, 5, theme_.border);
        canvas.disc(knob, y + 6, 4, theme_.field);
      } else if (kind == 2) {
        canvas.fill(field, theme_.field);
        canvas.frame(field, theme_.border);
        const int32_t done = random_.between(10, std::max(11, field.width - 4));
        canvas.fill({field.x + 2, y + 2, done, 9}, 0x43A047);
      } else {
        canvas.fill(field, theme_.field);
        canvas.frame(field, theme_.accent);
        const int32_t end = canvas.text(field.x + 5, y + 3, word(), theme_.ink);
        canvas.fill({end + 1, y + 2, 1, 9}, theme_.ink);
      }
    }
    const int32_t y = body.y + body.height - 20;
    paint_button(canvas, body.x + body.width - 130, y, "CANCEL", theme_.field, theme_.ink);
    paint_button(canvas, body.x + body.width - 70, y, "APPLY", theme_.accent, 0xFFFFFF);
  }

  void paint_chart(const Canvas& canvas, const Rect& body) {
    const Rect plot = {body.x + 26, body.y + 8, body.width - 36, body.height - 26};
    canvas.fill(plot, theme_.field);
    for (int32_t y = plot.y; y < plot.y + plot.height; y += 16) {
      canvas.fill({plot.x, y, plot.width, 1}, theme_.border);
    }
    const int32_t base = plot.y + plot.height;
    for (int32_t x = plot.x + 6; x + 10 < plot.x + plot.width; x += 14) {
      const int32_t tall = random_.between(4, std::max(5, plot.height - 6));
      canvas.fill({x, base - tall, 9, tall}, vivid());
    }
    for (int curve = 0; curve < 2; ++curve) {
      const Rgb color = vivid();
      int32_t last = base - random_.between(5, std::max(6, plot.height - 5));
      for (int32_t x = plot.x; x + 12 < plot.x + plot.width; x += 12) {
        const int32_t next = base - random_.between(5, std::max(6, plot.height - 5));
        canvas.line(x, last, x + 12, next, color);
        last = next;
      }
    }
    canvas.frame(plot, theme_.ink);
    canvas.text(body.x + 5, plot.y + 2, "100", theme_.ink);
    canvas.text(body.x + 11, base - 8, "0", theme_.ink);
    canvas.text(plot.x + 4, base + 6, "RATE 98.5 %", theme_.faint_ink);
  }

  // Swatches of saturated colours with thin borders, one of them chequered.
  void paint_palette(const Canvas& canvas, const Rect& body) {
    for (int32_t y = body.y + 6; y + 15 < body.y + body.height; y += 18) {
      for (int32_t x = body.x + 6; x + 15 < body.x + body.width; x += 18) {
        const Rect swatch = {x, y, 15, 15};
        const uint32_t bits = random_.bits();
        canvas.fill(swatch, (bits & 3u) == 0 ? (bits >> 8) : vivid());
        if ((bits & 0xF0u) == 0) {
          for (int32_t i = 0; i < 15 * 15; ++i) {
            canvas.set(x + i % 15, y + i / 15,
                       ((i % 15) + (i / 15)) % 2 == 0 ? 0xFFFFFF : 0x000000);
          }
        }
        canvas.frame(swatch, theme_.border);
      }
    }
  }

  void paint_table(const Canvas& canvas, const Rect& body) {
    canvas.fill(body, theme_.field);
    int32_t row = 0;
    for (int32_t y = body.y; y < body.y + body.height; y += 13, ++row) {
      const Rgb back = row == 0 ? theme_.title : row % 2 == 0 ? theme_.panel : theme_.field;
      const Rgb ink = row == 0 ? theme_.title_ink : theme_.ink;
      canvas.fill({body.x, y, body.width, 13}, back);
      for (int32_t x = body.x; x < body.x + body.width; x += 52) {
        const bool marked = row > 0 && random_.bits() % 9 == 0;
        canvas.clipped({x, y, 50, 13}).text(x + 5, y + 3, word(), marked ? theme_.accent : ink);
      }
    }
    for (int32_t x = body.x + 51; x < body.x + body.width; x += 52) {
      canvas.fill({x, body.y, 1, body.height}, theme_.border);
    }
  }

  std::string_view word() { return kWords[random_.bits() % kWords.size()]; }
  Rgb vivid() { return kVividColors[random_.bits() % kVividColors.size()]; }

  Canvas canvas_;
  int32_t width_;
  int32_t height_;
  Random random_;
  Theme theme_;
};

}  // namespace

void paint_interface(const MutableImageView& image, uint32_t seed) {
  Desktop(image, seed).paint();
}

}  // namespace tessera
