// The rows of the table of formats, and looking things up in it.
//
// Vulkan numbers: VkFormat; high dynamic range is VK_EXT_texture_compression_astc_hdr, blocks with
// depth are VK_EXT_texture_compression_astc_3d. OpenGL numbers: EXT_texture_compression_s3tc,
// EXT_texture_sRGB, KHR_texture_compression_astc_ldr and OES_texture_compression_astc.
#include "containers/format_table.h"

#include <algorithm>
#include <array>

namespace tessera {
namespace {

constexpr uint32_t four_cc(const char (&text)[5]) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i) {
    value = (value << 8) | static_cast<uint8_t>(text[i]);
  }
  return value;
}

// With alpha first: a texture does not say whether its blocks use it.
constexpr std::array<FormatNumbers, 2> kBc1Numbers = {{
    {{4, 4, 1}, 133, 134, 0, 70, 71, 72, 0x83F1, 0x8C4D},
    {{4, 4, 1}, 131, 132, 0, 0, 0, 0, 0x83F0, 0x8C4C},
}};

// First the 2D sizes, then the 3D ones, each in the order in which Vulkan and OpenGL number them.
constexpr std::array<BlockSize, 14> kAstcBlocks2d = {{
    {4, 4, 1},
    {5, 4, 1},
    {5, 5, 1},
    {6, 5, 1},
    {6, 6, 1},
    {8, 5, 1},
    {8, 6, 1},
    {8, 8, 1},
    {10, 5, 1},
    {10, 6, 1},
    {10, 8, 1},
    {10, 10, 1},
    {12, 10, 1},
    {12, 12, 1},
}};
constexpr std::array<BlockSize, 10> kAstcBlocks3d = {{
    {3, 3, 3},
    {4, 3, 3},
    {4, 4, 3},
    {4, 4, 4},
    {5, 4, 4},
    {5, 5, 4},
    {5, 5, 5},
    {6, 5, 5},
    {6, 6, 5},
    {6, 6, 6},
}};

constexpr auto make_astc_numbers() {
  std::array<FormatNumbers, kAstcBlocks2d.size() + kAstcBlocks3d.size()> all = {};
  uint32_t count = 0;
  for (uint32_t i = 0; i < kAstcBlocks2d.size(); ++i) {
    all[count++] = {kAstcBlocks2d[i], 157 + 2 * i, 158 + 2 * i, 1000066000 + i, 133 + 4 * i,
                    134 + 4 * i,      135 + 4 * i, 0x93B0 + i,  0x93D0 + i};
  }
  for (uint32_t i = 0; i < kAstcBlocks3d.size(); ++i) {
    const uint32_t vulkan = 1000288000 + 3 * i;
    all[count++] = {kAstcBlocks3d[i], vulkan,    vulkan + 1, vulkan + 2, 0, 0, 0,
                    0x93C0 + i,       0x93E0 + i};
  }
  return all;
}
constexpr auto kAstcNumbers = make_astc_numbers();

constexpr std::array kBc1Containers = {ContainerType::kDds, ContainerType::kKtx2,
                                       ContainerType::kKtx};
constexpr std::array kAstcContainers = {ContainerType::kAstc, ContainerType::kKtx2,
                                        ContainerType::kKtx};
constexpr std::array kFractalContainers = {ContainerType::kTsf};

constexpr std::array kLdrOnly = {Profile::kLdr};
constexpr std::array kLdrAndSrgb = {Profile::kLdr, Profile::kSrgb};
constexpr std::array kAllProfiles = {Profile::kLdr, Profile::kSrgb, Profile::kHdr, Profile::kHdra};

constexpr std::array<FormatRow, 3> kTable = {{
    {.format = TextureFormat::kBc1,
     .name = "bc1",
     .title = "BC1",
     .payload = PayloadKind::kBlocks,
     .block_bytes = 8,
     .default_block = {4, 4, 1},
     .numbers = kBc1Numbers,
     .default_container = ContainerType::kDds,
     .containers = kBc1Containers,
     .profiles = kLdrAndSrgb,
     .dds_four_cc = four_cc("DXT1"),
     .khronos_color_model = 128,
     .khronos_channel = 1},
    {.format = TextureFormat::kAstc,
     .name = "astc",
     .title = "ASTC",
     .payload = PayloadKind::kBlocks,
     .block_bytes = 16,
     .default_block = {6, 6, 1},
     .numbers = kAstcNumbers,
     .default_container = ContainerType::kAstc,
     .containers = kAstcContainers,
     .profiles = kAllProfiles,
     .dds_four_cc = 0,
     .khronos_color_model = 162,
     .khronos_channel = 0},
    {.format = TextureFormat::kFractal,
     .name = "fractal",
     .title = "Fractal",
     .payload = PayloadKind::kWholeImage,
     .block_bytes = 0,
     .default_block = {1, 1, 1},
     .numbers = {},
     .default_container = ContainerType::kTsf,
     .containers = kFractalContainers,
     .profiles = kLdrOnly,
     .dds_four_cc = 0,
     .khronos_color_model = 0,
     .khronos_channel = 0},
}};

constexpr bool rows_are_in_order() {
  for (size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<size_t>(kTable[i].format) != i) {
      return false;
    }
  }
  return true;
}
static_assert(rows_are_in_order());

constexpr std::array<std::string_view, 4> kProfileNames = {"ldr", "srgb", "hdr", "hdra"};

// One number for each profile.
struct NumbersByProfile {
  uint32_t FormatNumbers::*ldr;
  uint32_t FormatNumbers::*srgb;
  uint32_t FormatNumbers::*hdr;

  uint32_t of(const FormatNumbers& numbers, Profile profile) const {
    const auto member = profile == Profile::kLdr ? ldr : (profile == Profile::kSrgb ? srgb : hdr);
    return member == nullptr ? 0 : numbers.*member;
  }
};
constexpr NumbersByProfile kVulkan = {&FormatNumbers::vulkan_unorm, &FormatNumbers::vulkan_srgb,
                                      &FormatNumbers::vulkan_sfloat};
constexpr NumbersByProfile kDxgi = {&FormatNumbers::dxgi_unorm, &FormatNumbers::dxgi_srgb, nullptr};
constexpr NumbersByProfile kGl = {&FormatNumbers::gl_unorm, &FormatNumbers::gl_srgb, nullptr};

std::optional<NumberedFormat> find_number(uint32_t number, const NumbersByProfile& kind) {
  if (number == 0) {
    return std::nullopt;
  }
  for (const FormatRow& row : kTable) {
    for (const FormatNumbers& numbers : row.numbers) {
      for (const Profile profile : {Profile::kLdr, Profile::kSrgb, Profile::kHdr}) {
        if (kind.of(numbers, profile) == number) {
          return NumberedFormat{&row, numbers.block, profile};
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> number_of(const FormatRow& row, const BlockSize& block, Profile profile,
                                  const NumbersByProfile& kind) {
  for (const FormatNumbers& numbers : row.numbers) {
    if (numbers.block == block) {
      const uint32_t number = kind.of(numbers, profile);
      return number == 0 ? std::nullopt : std::optional(number);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view profile_name(Profile profile) {
  return kProfileNames[static_cast<size_t>(profile)];
}

std::optional<Profile> parse_profile(std::string_view name) {
  const auto found = std::find(kProfileNames.begin(), kProfileNames.end(), name);
  return found == kProfileNames.end()
             ? std::nullopt
             : std::optional(static_cast<Profile>(found - kProfileNames.begin()));
}

bool FormatRow::is_held_by(ContainerType container) const {
  return std::find(containers.begin(), containers.end(), container) != containers.end();
}

bool FormatRow::has_profile(Profile profile) const {
  return std::find(profiles.begin(), profiles.end(), profile) != profiles.end();
}

bool FormatRow::has_block(const BlockSize& block) const {
  return std::any_of(numbers.begin(), numbers.end(),
                     [&](const FormatNumbers& entry) { return entry.block == block; });
}

bool FormatRow::has_several_blocks() const {
  return std::any_of(numbers.begin(), numbers.end(),
                     [&](const FormatNumbers& row) { return row.block != numbers.front().block; });
}

std::span<const FormatRow> format_table() {
  return kTable;
}

const FormatRow& format_row(TextureFormat format) {
  return kTable[static_cast<size_t>(format)];
}

const FormatRow* find_format(std::string_view name) {
  const auto found = std::find_if(kTable.begin(), kTable.end(),
                                  [&](const FormatRow& row) { return row.name == name; });
  return found == kTable.end() ? nullptr : &*found;
}

const FormatRow* only_format_of(ContainerType container) {
  const FormatRow* only = nullptr;
  for (const FormatRow& row : kTable) {
    if (row.is_held_by(container)) {
      if (only != nullptr) {
        return nullptr;
      }
      only = &row;
    }
  }
  return only;
}

std::optional<NumberedFormat> find_vulkan_format(uint32_t number) {
  return find_number(number, kVulkan);
}

std::optional<NumberedFormat> find_gl_format(uint32_t number) {
  return find_number(number, kGl);
}

std::optional<NumberedFormat> find_dxgi_format(uint32_t number) {
  for (const FormatRow& row : kTable) {
    for (const FormatNumbers& numbers : row.numbers) {
      if (number != 0 && numbers.dxgi_typeless == number) {
        return NumberedFormat{&row, numbers.block, Profile::kLdr};
      }
    }
  }
  return find_number(number, kDxgi);
}

std::optional<uint32_t> vulkan_number(const FormatRow& row, const BlockSize& block,
                                      Profile profile) {
  return number_of(row, block, profile, kVulkan);
}

std::optional<uint32_t> dxgi_number(const FormatRow& row, const BlockSize& block, Profile profile) {
  return number_of(row, block, profile, kDxgi);
}

std::optional<uint32_t> gl_number(const FormatRow& row, const BlockSize& block, Profile profile) {
  return number_of(row, block, profile, kGl);
}

std::string all_format_names() {
  std::string names;
  for (const FormatRow& row : kTable) {
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

std::string titles_held_by(ContainerType container) {
  std::string titles;
  for (const FormatRow& row : kTable) {
    if (row.is_held_by(container)) {
      titles += (titles.empty() ? "" : " and ") + std::string(row.title);
    }
  }
  return titles;
}

}  // namespace tessera
