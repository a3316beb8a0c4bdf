// ktx2_samples write FOLDER: writes .ktx2 files of every kind, their levels' bytes, and
// expected.json, which says what an independent reader has to find in them.
// ktx2_samples check FOLDER: reads NAME.again.ktx2, which that program wrote, and compares.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../container_helpers.h"
#include "containers/ktx2_file.h"
#include "files/file.h"

namespace tessera {
namespace {

// The numbers are written out here, not computed by the code under test.
struct Sample {
  std::string name;
  TextureInfo info;
  uint32_t levels = 1;
  bool zstd = false;
  uint32_t vk_format = 0;
};

TextureInfo make_info(TextureFormat format, BlockSize block, uint32_t width, uint32_t height) {
  TextureInfo info;
  info.format = format;
  info.block = block;
  info.width = width;
  info.height = height;
  return info;
}

std::vector<Sample> all_samples() {
  const auto bc1 = make_info(TextureFormat::kBc1, {4, 4, 1}, 20, 12);
  const auto astc = make_info(TextureFormat::kAstc, {6, 6, 1}, 33, 17);
  std::vector<Sample> samples = {
      {"bc1", bc1, 1, false, 133},
      {"bc1_srgb", bc1, 1, false, 134},
      {"bc1_mips", bc1, 5, false, 133},
      {"astc_6x6", astc, 1, false, 165},
      {"astc_6x6_srgb_mips", astc, 6, false, 166},
      {"astc_6x6_hdr", astc, 1, false, 1000066004},
      {"astc_12x12_layers", make_info(TextureFormat::kAstc, {12, 12, 1}, 30, 30), 2, false, 183},
      {"astc_4x4_volume", make_info(TextureFormat::kAstc, {4, 4, 1}, 8, 8), 4, false, 157},
      {"astc_3x3x3", make_info(TextureFormat::kAstc, {3, 3, 3}, 10, 10), 3, false, 1000288000},
      {"astc_6x6x6_hdr", make_info(TextureFormat::kAstc, {6, 6, 6}, 10, 10), 1, false, 1000288029},
  };
  samples[1].info.srgb = samples[4].info.srgb = true;
  samples[5].info.hdr = samples[9].info.hdr = true;
  samples[6].info.layers = 3;
  samples[7].info.depth = 5;
  samples[8].info.depth = 7;
  auto cube = make_info(TextureFormat::kBc1, {4, 4, 1}, 16, 16);
  cube.layers = cube.faces = 6;
  samples.push_back({"bc1_cube_mips", cube, 5, false, 133});
  cube.layers = 12;
  samples.push_back({"bc1_two_cubes", cube, 2, false, 133});
  if (have_zstd()) {
    samples.push_back({"bc1_cube_zstd", cube, 5, true, 133});
    samples.push_back({"bc1_zstd_mips", bc1, 5, true, 133});
    samples.push_back({"astc_6x6_zstd", astc, 1, true, 165});
  }
  return samples;
}

Texture make_texture_of(const Sample& sample) {
  Texture texture;
  texture.info = sample.info;
  fill_levels(texture, sample.levels);
  for (LargeBytes& level : texture.levels) {
    if (sample.zstd) {  // what takes no fewer bytes is not compressed
      std::fill(level.begin(), level.end(), uint8_t{7});
    }
  }
  return texture;
}

// Keys of one's own come before and after those of the format.
Ktx2Options options_of(const Sample& sample) {
  Ktx2Options options;
  options.zstd = sample.zstd;
  options.orientation = "rd";
  options.keys = {{"Author", std::string("me\0", 3)}, {"zebra", std::string("1\0", 2)}};
  return options;
}

std::string joined(const std::vector<uint64_t>& numbers) {
  std::string text;
  for (const uint64_t number : numbers) {
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return "[" + text + "]";
}

std::string expected_json(const Sample& sample, const Texture& texture) {
  const TextureInfo& info = sample.info;
  const bool bc1 = info.format == TextureFormat::kBc1;
  const bool volume = info.depth > 1 || info.block.depth > 1;
  std::vector<uint64_t> level_sizes;
  for (const LargeBytes& level : texture.levels) {
    level_sizes.push_back(level.size());
  }
  const auto number = [](uint64_t value) { return std::to_string(value); };
  return "{\"vkFormat\": " + number(sample.vk_format) + ", \"typeSize\": 1, \"size\": " +
         joined({info.width, info.height, volume ? info.depth : 0}) +
         ", \"layerCount\": " + number(info.layers > info.faces ? info.layers / info.faces : 0) +
         ", \"faceCount\": " + number(info.faces) + ", \"levelCount\": " + number(sample.levels) +
         ", \"supercompressionScheme\": " + number(sample.zstd ? 2 : 0) +
         ", \"descriptors\": 1, \"colorModel\": " + number(bc1 ? 128 : 162) +
         ", \"colorPrimaries\": 1, \"transferFunction\": " + number(info.srgb ? 2 : 1) +
         ", \"flags\": 0, \"texelBlockDimension\": " +
         joined({info.block.width - 1, info.block.height - 1, info.block.depth - 1, 0}) +
         ", \"bytesPlane\": " + joined({bc1 ? 8u : 16u, 0, 0, 0, 0, 0, 0, 0}) +
         ", \"samples\": [{\"bitOffset\": 0, \"bitLength\": " + number(bc1 ? 63 : 127) +
         ", \"channelType\": " + number(bc1 ? 1 : (info.hdr ? 0xC0 : 0)) +
         ", \"samplePosition\": [0, 0, 0, 0], \"sampleLower\": " +
         number(info.hdr ? 0xBF800000 : 0) +
         ", \"sampleUpper\": " + number(info.hdr ? 0x3F800000 : 0xFFFFFFFF) +
         "}], \"keys\": [\"Author\", \"KTXorientation\", \"KTXwriter\", \"zebra\"], "
         "\"levelBytes\": " +
         joined(level_sizes) + "}";
}

Status write_samples(const std::string& folder) {
  std::string json;
  for (const Sample& sample : all_samples()) {
    const Texture texture = make_texture_of(sample);
    TESSERA_ASSIGN_OR_RETURN(const LargeBytes file, write_ktx2_file(texture, options_of(sample)));
    TESSERA_RETURN_IF_ERROR(write_file(folder + "/" + sample.name + ".ktx2", file));
    Bytes levels;
    for (const LargeBytes& level : texture.levels) {
      levels.insert(levels.end(), level.begin(), level.end());
    }
    TESSERA_RETURN_IF_ERROR(write_file(folder + "/" + sample.name + ".levels", levels));
    json += (json.empty() ? "{\n" : ",\n") + ("\"" + sample.name + "\": ") +
            expected_json(sample, texture);
  }
  json += "\n}\n";
  return write_file(folder + "/expected.json", Bytes(json.begin(), json.end()));
}

Status check_samples(const std::string& folder) {
  for (const Sample& sample : all_samples()) {
    const std::string path = folder + "/" + sample.name + ".again.ktx2";
    TESSERA_ASSIGN_OR_RETURN(const Bytes file, read_file(path));
    TESSERA_ASSIGN_OR_RETURN(const Texture again, read_ktx2_file(file, path));
    const Texture texture = make_texture_of(sample);
    if (again.info != texture.info || again.levels != texture.levels) {
      return invalid_error(path + " holds another texture than the one that was written");
    }
  }
  return {};
}

}  // namespace
}  // namespace tessera

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: ktx2_samples write|check FOLDER\n");
    return 1;
  }
  const bool write = std::strcmp(arguments[1], "write") == 0;
  const auto status =
      write ? tessera::write_samples(arguments[2]) : tessera::check_samples(arguments[2]);
  if (!status) {
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    return 1;
  }
  return 0;
}
