// A part of tessera.hpp: decoding, what a texture holds, mip levels and comparisons.
#ifndef TESSERA_DECODE_HPP_
#define TESSERA_DECODE_HPP_

#include <tessera/encode.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera {
inline namespace v0 {

// ---- Decoding -----------------------------------------------------------------------------------

struct DecodeOptions {
  std::string profile = {};  // "ldr", "srgb", "hdr"; "": as the file says, or "ldr"
  Sample sample = Sample::kU8;
  uint32_t level = 0;  // mip level; 0 is the largest
  std::vector<Option> options = {};
  bool normal_map = false;  // x is in red, y in alpha: pictures get x, y and z
  bool yflip = false;       // pictures of textures are turned upside down
};

namespace detail {

class DecodeOptionsInC {
 public:
  explicit DecodeOptionsInC(const DecodeOptions& options) : list_(to_c(options.options)) {
    c_.profile = or_null(options.profile);
    c_.sample = static_cast<tessera_sample>(options.sample);
    c_.level = options.level;
    c_.options = list_.data();
    c_.option_count = list_.size();
    c_.normal_map = options.normal_map ? 1 : 0;
    c_.yflip = options.yflip ? 1 : 0;
  }
  const tessera_decode_options* get() const { return &c_; }

 private:
  std::vector<tessera_option> list_;
  tessera_decode_options c_ = TESSERA_DECODE_OPTIONS_INIT;
};

}  // namespace detail

// A texture, fractal image or picture file in memory as pixels.
inline Result<Picture> decode(std::span<const uint8_t> data, const DecodeOptions& options = {},
                              const Context* context = nullptr, const Control& control = {},
                              FileInfo* info = nullptr, const std::string& name = {}) {
  tessera_picture* picture = nullptr;
  tessera_error error = {};
  if (tessera_decode(detail::handle_of(context), data.data(), data.size(), detail::or_null(name),
                     detail::DecodeOptionsInC(options).get(), detail::ControlInC(control).get(),
                     &picture, info, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(picture);
}

// Raw blocks into the caller's pixels, of the extents, channels and strides of `image`.
inline Status decode_blocks(const std::string& format, const std::string& block,
                            std::span<const uint8_t> blocks, const Image& image, void* pixels,
                            const DecodeOptions& options = {}, const Context* context = nullptr,
                            const Control& control = {}) {
  const tessera_image c = image.to_c();
  tessera_error error = {};
  if (tessera_decode_blocks(detail::handle_of(context), format.c_str(), block.c_str(),
                            blocks.data(), blocks.size(), detail::DecodeOptionsInC(options).get(),
                            detail::ControlInC(control).get(), &c, pixels, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return {};
}

// What a file in memory is.
inline Result<FileInfo> inspect(std::span<const uint8_t> data, const std::string& name = {}) {
  FileInfo info = {};
  info.struct_size = sizeof info;
  tessera_error error = {};
  if (tessera_inspect(data.data(), data.size(), detail::or_null(name), &info, &error) !=
      TESSERA_OK) {
    return detail::to_error(error);
  }
  return info;
}

// The same within limits.
inline Result<FileInfo> inspect(std::span<const uint8_t> data, const std::string& name,
                                const Control& control) {
  FileInfo info = {};
  info.struct_size = sizeof info;
  tessera_error error = {};
  if (tessera_inspect_limited(data.data(), data.size(), detail::or_null(name),
                              detail::ControlInC(control).get(), &info, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return info;
}

// All that is known about it, as JSON; `block` explains one block, such as "12,7".
inline Result<Bytes> describe(std::span<const uint8_t> data, bool statistics = false,
                              const std::string& block = {}, const std::string& name = {},
                              const Control& control = {}) {
  tessera_buffer* json = nullptr;
  tessera_error error = {};
  if (tessera_describe_limited(data.data(), data.size(), detail::or_null(name), statistics ? 1 : 0,
                               detail::or_null(block), detail::ControlInC(control).get(), &json,
                               &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Bytes(json);
}

struct BlockMap {
  Bytes kinds;   // a byte for each block, row by row
  Bytes legend;  // JSON: see tessera_map_blocks
};

inline Result<BlockMap> map_blocks(std::span<const uint8_t> data, const std::string& name = {},
                                   const Control& control = {}) {
  tessera_buffer* kinds = nullptr;
  tessera_buffer* legend = nullptr;
  tessera_error error = {};
  if (tessera_map_blocks_limited(data.data(), data.size(), detail::or_null(name),
                                 detail::ControlInC(control).get(), &kinds, &legend,
                                 &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return BlockMap{Bytes(kinds), Bytes(legend)};
}

// The leaves of a fractal image, as JSON: see tessera_list_leaves.
inline Result<Bytes> list_leaves(std::span<const uint8_t> data, const std::string& name = {},
                                 const Control& control = {}) {
  tessera_buffer* json = nullptr;
  tessera_error error = {};
  if (tessera_list_leaves_limited(data.data(), data.size(), detail::or_null(name),
                                  detail::ControlInC(control).get(), &json, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Bytes(json);
}

// ---- Pictures -----------------------------------------------------------------------------------

inline Result<Picture> next_mip_level(const Image& image) {
  const tessera_image c = image.to_c();
  tessera_picture* level = nullptr;
  tessera_error error = {};
  if (tessera_next_mip_level(&c, &level, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(level);
}

// What encoders do to a picture first, where their options say so; see tessera_edit_picture.
struct PictureEdits {
  bool yflip = false;
  bool premultiply = false;
  bool normalize = false;
};

inline Result<Picture> edit_picture(const Image& image, const PictureEdits& edits) {
  const tessera_image c = image.to_c();
  tessera_picture* edited = nullptr;
  tessera_error error = {};
  if (tessera_edit_picture(&c, edits.yflip ? 1 : 0, edits.premultiply ? 1 : 0,
                           edits.normalize ? 1 : 0, &edited, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(edited);
}

inline Result<Metrics> compare(const Image& reference, const Image& test, uint32_t block_width = 4,
                               uint32_t block_height = 4) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  Metrics metrics = {};
  metrics.struct_size = sizeof metrics;
  tessera_error error = {};
  if (tessera_compare(&a, &b, block_width, block_height, &metrics, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return metrics;
}

// The PSNR of red, green, blue and alpha.
inline Result<std::array<double, 4>> compare_channels(const Image& reference, const Image& test) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  std::array<double, 4> psnr = {};
  tessera_error error = {};
  if (tessera_compare_channels(&a, &b, psnr.data(), &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return psnr;
}

struct NormalAngles {
  double mean = 0;  // degrees
  double largest = 0;
};

inline Result<NormalAngles> compare_normals(const Image& reference, const Image& test) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  NormalAngles angles;
  tessera_error error = {};
  if (tessera_compare_normals(&a, &b, &angles.mean, &angles.largest, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return angles;
}

inline Result<Picture> comparison_sheet(const Image& reference, const Image& test, double gain) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  tessera_picture* sheet = nullptr;
  tessera_error error = {};
  if (tessera_comparison_sheet(&a, &b, gain, &sheet, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(sheet);
}

struct SheetOptions {
  std::string reference_name = {};  // for the labels; "": "original"
  std::string test_name = {};       // "": "result"
  double gain = 8;                  // of the error
  uint32_t block_width = 4;
  uint32_t block_height = 4;
};

// With labels, and the worst block from near: see tessera_annotated_sheet.
inline Result<Picture> annotated_sheet(const Image& reference, const Image& test,
                                       const SheetOptions& options = {}) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  tessera_sheet_options c = TESSERA_SHEET_OPTIONS_INIT;
  c.reference_name = detail::or_null(options.reference_name);
  c.test_name = detail::or_null(options.test_name);
  c.gain = options.gain;
  c.block_width = options.block_width;
  c.block_height = options.block_height;
  tessera_picture* sheet = nullptr;
  tessera_error error = {};
  if (tessera_annotated_sheet(&a, &b, &c, &sheet, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(sheet);
}

inline Result<Picture> make_sample(const std::string& kind, uint32_t width, uint32_t height,
                                   uint32_t seed = 1) {
  tessera_picture* picture = nullptr;
  tessera_error error = {};
  if (tessera_make_sample(kind.c_str(), width, height, seed, &picture, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(picture);
}

}  // namespace v0
}  // namespace tessera

#endif  // TESSERA_DECODE_HPP_
