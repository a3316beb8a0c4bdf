// The table of formats against the numbers of the Khronos and Microsoft headers, by hand.
#include "containers/format_table.h"

#include <gtest/gtest.h>

#include <set>

#include "containers/texture_file.h"

namespace tessera {
namespace {

// From vulkan_core.h, dxgiformat.h, glext.h and gl2ext.h.
struct Expected {
  BlockSize block;
  uint32_t vulkan_unorm, vulkan_srgb, vulkan_sfloat;
  uint32_t dxgi_unorm, dxgi_srgb;
  uint32_t gl_unorm, gl_srgb;
};

constexpr Expected kAstc[] = {
    {{4, 4, 1}, 157, 158, 1000066000, 134, 135, 0x93B0, 0x93D0},
    {{5, 4, 1}, 159, 160, 1000066001, 138, 139, 0x93B1, 0x93D1},
    {{5, 5, 1}, 161, 162, 1000066002, 142, 143, 0x93B2, 0x93D2},
    {{6, 5, 1}, 163, 164, 1000066003, 146, 147, 0x93B3, 0x93D3},
    {{6, 6, 1}, 165, 166, 1000066004, 150, 151, 0x93B4, 0x93D4},
    {{8, 5, 1}, 167, 168, 1000066005, 154, 155, 0x93B5, 0x93D5},
    {{8, 6, 1}, 169, 170, 1000066006, 158, 159, 0x93B6, 0x93D6},
    {{8, 8, 1}, 171, 172, 1000066007, 162, 163, 0x93B7, 0x93D7},
    {{10, 5, 1}, 173, 174, 1000066008, 166, 167, 0x93B8, 0x93D8},
    {{10, 6, 1}, 175, 176, 1000066009, 170, 171, 0x93B9, 0x93D9},
    {{10, 8, 1}, 177, 178, 1000066010, 174, 175, 0x93BA, 0x93DA},
    {{10, 10, 1}, 179, 180, 1000066011, 178, 179, 0x93BB, 0x93DB},
    {{12, 10, 1}, 181, 182, 1000066012, 182, 183, 0x93BC, 0x93DC},
    {{12, 12, 1}, 183, 184, 1000066013, 186, 187, 0x93BD, 0x93DD},
    {{3, 3, 3}, 1000288000, 1000288001, 1000288002, 0, 0, 0x93C0, 0x93E0},
    {{4, 3, 3}, 1000288003, 1000288004, 1000288005, 0, 0, 0x93C1, 0x93E1},
    {{4, 4, 3}, 1000288006, 1000288007, 1000288008, 0, 0, 0x93C2, 0x93E2},
    {{4, 4, 4}, 1000288009, 1000288010, 1000288011, 0, 0, 0x93C3, 0x93E3},
    {{5, 4, 4}, 1000288012, 1000288013, 1000288014, 0, 0, 0x93C4, 0x93E4},
    {{5, 5, 4}, 1000288015, 1000288016, 1000288017, 0, 0, 0x93C5, 0x93E5},
    {{5, 5, 5}, 1000288018, 1000288019, 1000288020, 0, 0, 0x93C6, 0x93E6},
    {{6, 5, 5}, 1000288021, 1000288022, 1000288023, 0, 0, 0x93C7, 0x93E7},
    {{6, 6, 5}, 1000288024, 1000288025, 1000288026, 0, 0, 0x93C8, 0x93E8},
    {{6, 6, 6}, 1000288027, 1000288028, 1000288029, 0, 0, 0x93C9, 0x93E9},
};

void expect_row(const FormatRow& row, const Expected& expected) {
  const std::string name = std::string(row.name) + " " + block_size_name(expected.block);
  const auto number = [](uint32_t value) {
    return value == 0 ? std::nullopt : std::optional(value);
  };
  const auto& block = expected.block;
  EXPECT_TRUE(row.has_block(block)) << name;
  EXPECT_EQ(vulkan_number(row, block, Profile::kLdr), number(expected.vulkan_unorm)) << name;
  EXPECT_EQ(vulkan_number(row, block, Profile::kSrgb), number(expected.vulkan_srgb)) << name;
  EXPECT_EQ(vulkan_number(row, block, Profile::kHdr), number(expected.vulkan_sfloat)) << name;
  EXPECT_EQ(dxgi_number(row, block, Profile::kLdr), number(expected.dxgi_unorm)) << name;
  EXPECT_EQ(dxgi_number(row, block, Profile::kSrgb), number(expected.dxgi_srgb)) << name;
  EXPECT_EQ(dxgi_number(row, block, Profile::kHdr), std::nullopt) << name;
  EXPECT_EQ(gl_number(row, block, Profile::kLdr), number(expected.gl_unorm)) << name;
  EXPECT_EQ(gl_number(row, block, Profile::kSrgb), number(expected.gl_srgb)) << name;
}

TEST(FormatTable, Bc1HasItsNumbers) {
  const FormatRow& row = format_row(TextureFormat::kBc1);
  EXPECT_EQ(row.name, "bc1");
  EXPECT_EQ(row.block_bytes, 8u);
  EXPECT_EQ(row.default_block, (BlockSize{4, 4, 1}));
  EXPECT_EQ(row.dds_four_cc, 0x31545844u);  // DXT1
  EXPECT_EQ(row.khronos_color_model, 128);
  // VK_FORMAT_BC1_RGBA_*, DXGI_FORMAT_BC1_*, COMPRESSED_RGBA_S3TC_DXT1, and its sRGB sibling.
  expect_row(row, {{4, 4, 1}, 133, 134, 0, 71, 72, 0x83F1, 0x8C4D});
  for (const uint32_t number : {131u, 132u}) {  // without alpha
    const auto found = find_vulkan_format(number);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->row, &row);
    EXPECT_EQ(found->profile, number == 131 ? Profile::kLdr : Profile::kSrgb);
  }
  EXPECT_EQ(find_dxgi_format(70)->row, &row);  // typeless
}

TEST(FormatTable, AstcHasItsNumbers) {
  const FormatRow& row = format_row(TextureFormat::kAstc);
  EXPECT_EQ(row.name, "astc");
  EXPECT_EQ(row.block_bytes, 16u);
  EXPECT_EQ(row.default_block, (BlockSize{6, 6, 1}));
  EXPECT_EQ(row.khronos_color_model, 162);
  ASSERT_EQ(row.numbers.size(), std::size(kAstc));
  for (const Expected& expected : kAstc) {
    expect_row(row, expected);
  }
  EXPECT_FALSE(row.has_block({7, 7, 1}));
  EXPECT_FALSE(vulkan_number(row, {7, 7, 1}, Profile::kLdr));
}

TEST(FormatTable, EveryNumberLeadsBackToItsRow) {
  for (const Expected& expected : kAstc) {
    for (const auto& [number, profile] : {std::pair(expected.vulkan_unorm, Profile::kLdr),
                                          {expected.vulkan_srgb, Profile::kSrgb},
                                          {expected.vulkan_sfloat, Profile::kHdr}}) {
      const auto found = find_vulkan_format(number);
      ASSERT_TRUE(found) << number;
      EXPECT_EQ(found->row->format, TextureFormat::kAstc);
      EXPECT_EQ(found->block, expected.block);
      EXPECT_EQ(found->profile, profile);
    }
  }
  for (const uint32_t number : {0u, 130u, 135u, 156u, 185u, 1000065999u, 1000066014u}) {
    EXPECT_FALSE(find_vulkan_format(number)) << number;
  }
  for (const uint32_t number : {0u, 69u, 73u, 132u, 136u, 188u}) {
    EXPECT_FALSE(find_dxgi_format(number)) << number;
  }
}

TEST(FormatTable, RowsAreWhole) {
  std::set<std::string_view> names;
  for (const FormatRow& row : format_table()) {
    EXPECT_TRUE(names.insert(row.name).second);
    EXPECT_EQ(find_format(row.name), &row);
    EXPECT_EQ(&format_row(row.format), &row);
    EXPECT_TRUE(row.is_held_by(row.default_container));
    EXPECT_TRUE(row.has_profile(Profile::kLdr));
    EXPECT_EQ(row.payload == PayloadKind::kBlocks, row.block_bytes > 0);
    EXPECT_EQ(row.payload == PayloadKind::kBlocks, row.has_block(row.default_block));
  }
  EXPECT_EQ(find_format("bc7"), nullptr);
}

TEST(FormatTable, AstcAloneHasBlocksToChooseFrom) {
  EXPECT_FALSE(format_row(TextureFormat::kBc1).has_several_blocks());
  EXPECT_TRUE(format_row(TextureFormat::kAstc).has_several_blocks());
  EXPECT_FALSE(format_row(TextureFormat::kFractal).has_several_blocks());
}

TEST(FormatTable, FractalIsAWholeImage) {
  const FormatRow& row = format_row(TextureFormat::kFractal);
  EXPECT_EQ(row.payload, PayloadKind::kWholeImage);
  EXPECT_EQ(only_format_of(ContainerType::kTsf), &row);
  EXPECT_EQ(usual_format_of(ContainerType::kTsf), &row);
  TextureInfo info;
  info.format = row.format;
  info.width = info.height = 8;
  EXPECT_EQ(level_bytes(info, 0).error().code, ErrorCode::kUnsupported);
}

TEST(FormatTable, ContainersHaveTheirUsualFormat) {
  EXPECT_EQ(usual_format_of(ContainerType::kDds)->name, "bc1");
  EXPECT_EQ(usual_format_of(ContainerType::kAstc)->name, "astc");
  EXPECT_EQ(usual_format_of(ContainerType::kKtx2)->name, "astc");
  EXPECT_EQ(only_format_of(ContainerType::kKtx2), nullptr);
  EXPECT_EQ(titles_held_by(ContainerType::kKtx2), "BC1 and ASTC");
}

}  // namespace
}  // namespace tessera
