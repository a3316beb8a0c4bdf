// The table of formats: one row of data for each, with all names and numbers that others give it.
// Containers, codecs and faces look things up here; none of them tests for a format by name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/block_size.h"

namespace tessera {

// The rows of the table, in its order.
enum class TextureFormat : uint8_t { kBc1, kAstc, kFractal };

// How samplers read a texture: as plain numbers, as sRGB, or with high dynamic range. The last one
// is for encoding alone: alpha is of high dynamic range, too, which samplers see in each block.
enum class Profile : uint8_t { kLdr, kSrgb, kHdr, kHdra };

constexpr bool is_hdr(Profile profile) {
  return profile == Profile::kHdr || profile == Profile::kHdra;
}

std::string_view profile_name(Profile profile);  // "ldr", "srgb", "hdr", "hdra"
std::optional<Profile> parse_profile(std::string_view name);

enum class ContainerType : uint8_t { kDds, kAstc, kKtx2, kTsf, kKtx };

enum class PayloadKind : uint8_t {
  kBlocks,      // blocks of one size, row by row: the size follows from that of the image
  kWholeImage,  // one stream for the whole image, as long as it happens to be
};

// What graphics interfaces call a format with one block size. 0: they have no such format.
struct FormatNumbers {
  BlockSize block;
  uint32_t vulkan_unorm = 0;  // VkFormat
  uint32_t vulkan_srgb = 0;
  uint32_t vulkan_sfloat = 0;  // high dynamic range
  uint32_t dxgi_typeless = 0;  // DXGI_FORMAT
  uint32_t dxgi_unorm = 0;
  uint32_t dxgi_srgb = 0;
  uint32_t gl_unorm = 0;  // internal format of OpenGL and OpenGL ES
  uint32_t gl_srgb = 0;
};

struct FormatRow {
  TextureFormat format = TextureFormat::kBc1;
  std::string_view name;   // as the command and files of results have it: "bc1"
  std::string_view title;  // as people write it: "BC1"
  PayloadKind payload = PayloadKind::kBlocks;
  uint32_t block_bytes = 0;  // 0 for whole images
  BlockSize default_block;
  // Every block size. Where several rows have the same size, the first is the one that is written.
  std::span<const FormatNumbers> numbers;
  ContainerType default_container = ContainerType::kDds;
  std::span<const ContainerType> containers;  // that hold it
  std::span<const Profile> profiles;          // that it can be read with
  uint32_t dds_four_cc = 0;                   // in the old header of .dds files; 0: none
  uint8_t khronos_color_model = 0;            // of the Khronos data format descriptor
  uint8_t khronos_channel = 0;                // and the identifier of its one sample

  bool is_held_by(ContainerType container) const;
  bool has_profile(Profile profile) const;
  bool has_block(const BlockSize& block) const;
  bool has_several_blocks() const;  // sizes to choose from
};

std::span<const FormatRow> format_table();
const FormatRow& format_row(TextureFormat format);
// nullptr for a name that is none.
const FormatRow* find_format(std::string_view name);
// The only format that a container holds; nullptr where it holds several.
const FormatRow* only_format_of(ContainerType container);

inline std::string_view texture_format_name(TextureFormat format) {
  return format_row(format).name;
}
inline uint32_t bytes_per_block(TextureFormat format) {
  return format_row(format).block_bytes;
}

// A format that a number stands for.
struct NumberedFormat {
  const FormatRow* row = nullptr;
  BlockSize block;
  Profile profile = Profile::kLdr;
};
std::optional<NumberedFormat> find_vulkan_format(uint32_t number);
std::optional<NumberedFormat> find_dxgi_format(uint32_t number);
// Of OpenGL, which has the same numbers for LDR and HDR: they are read as LDR.
std::optional<NumberedFormat> find_gl_format(uint32_t number);

// Nothing where there is no such number: a block size that the format does not have, a profile that
// has no number.
std::optional<uint32_t> vulkan_number(const FormatRow& row, const BlockSize& block,
                                      Profile profile);
std::optional<uint32_t> dxgi_number(const FormatRow& row, const BlockSize& block, Profile profile);
std::optional<uint32_t> gl_number(const FormatRow& row, const BlockSize& block, Profile profile);

// "bc1, astc, fractal"
std::string all_format_names();
// Titles of the formats that a container holds: "BC1 and ASTC".
std::string titles_held_by(ContainerType container);

}  // namespace tessera
