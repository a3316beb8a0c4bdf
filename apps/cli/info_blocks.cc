#include "info_blocks.h"

#include <charconv>
#include <cstdio>

#include "astc/astc_codec.h"
#include "astc/inspect/block_statistics.h"
#include "codec/registry.h"

namespace tessera::cli {
namespace {

Status check_is_astc(const Texture& texture, const std::string& name) {
  if (&codec_of(texture.info.format) != &astc_codec()) {
    return unsupported_error(name + " holds " +
                             std::string(texture_format_name(texture.info.format)) +
                             "; only ASTC blocks can be described");
  }
  return {};
}

struct BlockPosition {
  uint64_t x = 0;
  uint64_t y = 0;
  uint64_t z = 0;
};

Result<BlockPosition> parse_position(const std::string& text) {
  BlockPosition position;
  uint64_t* const parts[] = {&position.x, &position.y, &position.z};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (size_t i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, *parts[i]);
    if (error != std::errc()) {
      break;
    }
    if (next == end && i >= 1) {
      return position;
    }
    if (next == end || *next != ',') {
      break;
    }
    at = next + 1;
  }
  return usage_error("'" + text + "' is not a block's position such as 12,7");
}

Json codes_json(const uint8_t* codes, size_t count) {
  Json array = Json::array();
  for (size_t i = 0; i < count; ++i) {
    array.push_back(codes[i]);
  }
  return array;
}

void describe_void_extent(const astc::VoidExtent& extent, Json& object) {
  object["kind"] = "void extent";
  object["hdr"] = extent.is_hdr;
  object["color"] = extent.color;
  if (extent.has_extent) {
    for (const auto& interval : extent.extent) {
      object["extent"].push_back({interval.low, interval.high});
    }
  }
}

void describe_weighted(const astc::SymbolicBlock& block, Json& object) {
  static constexpr const char* kChannels[] = {"red", "green", "blue", "alpha"};
  object["kind"] = "weighted";
  object["partitions"] = block.partition_count;
  if (block.partition_count > 1) {
    object["partition_seed"] = block.partition_seed;
  }
  object["grid"] = astc::grid_name(block.mode.grid);
  object["planes"] = block.mode.dual_plane ? 2 : 1;
  if (block.mode.dual_plane) {
    object["second_plane"] = kChannels[block.plane2_channel];
  }
  object["weight_levels"] = astc::range_levels(block.mode.weight_range);
  object["color_levels"] = astc::range_levels(block.color_range);
  for (unsigned i = 0; i < block.partition_count; ++i) {
    const astc::EndpointMode mode = block.endpoint_modes[i];
    object["endpoint_modes"].push_back(
        {{"number", static_cast<unsigned>(mode)}, {"name", astc::endpoint_mode_name(mode)}});
  }
  object["color_codes"] = codes_json(block.color_codes.data(), block.color_value_count());
  object["weight_codes"] = codes_json(block.weight_codes.data(), block.mode.weight_count());
}

template <class Counts>
Json counts_json(const Counts& counts) {
  Json object = Json::object();
  for (const auto& [key, count] : counts) {
    if constexpr (std::is_same_v<std::decay_t<decltype(key)>, std::string>) {
      object[key] = count;
    } else {
      object[std::to_string(key)] = count;
    }
  }
  return object;
}

}  // namespace

Result<Json> block_statistics_json(const Texture& texture, const std::string& name) {
  TESSERA_RETURN_IF_ERROR(check_is_astc(texture, name));
  const astc::BlockStatistics statistics =
      astc::count_blocks(texture.levels[0], to_astc(texture.info.block));
  Json modes = Json::object();
  for (size_t i = 0; i < statistics.endpoint_modes.size(); ++i) {
    if (statistics.endpoint_modes[i] > 0) {
      modes[std::to_string(i) + " " +
            astc::endpoint_mode_name(static_cast<astc::EndpointMode>(i))] =
          statistics.endpoint_modes[i];
    }
  }
  return Json{{"blocks", statistics.blocks},
              {"illegal", statistics.illegal},
              {"void_extents", statistics.void_extents},
              {"dual_planes", statistics.dual_planes},
              {"partitions",
               {{"1", statistics.partitions[0]},
                {"2", statistics.partitions[1]},
                {"3", statistics.partitions[2]},
                {"4", statistics.partitions[3]}}},
              {"grids", counts_json(statistics.grids)},
              {"weight_levels", counts_json(statistics.weight_levels)},
              {"color_levels", counts_json(statistics.color_levels)},
              {"endpoint_modes", modes}};
}

Result<Json> block_json(const Texture& texture, const std::string& position,
                        const std::string& name) {
  TESSERA_RETURN_IF_ERROR(check_is_astc(texture, name));
  TESSERA_ASSIGN_OR_RETURN(const BlockPosition at, parse_position(position));
  const TextureInfo& info = texture.info;
  const uint64_t across = divide_round_up(info.width, info.block.width);
  const uint64_t down = divide_round_up(info.height, info.block.height);
  const uint64_t deep = divide_round_up(info.depth, info.block.depth) * info.layers;
  if (at.x >= across || at.y >= down || at.z >= deep) {
    return usage_error(name + " has " + std::to_string(across) + "x" + std::to_string(down) + "x" +
                       std::to_string(deep) + " blocks, so there is none at " + position);
  }
  const size_t offset = ((at.z * down + at.y) * across + at.x) * astc::kBlockBytes;
  const uint8_t* bytes = texture.levels[0].data() + offset;
  Json object = {{"x", at.x}, {"y", at.y}, {"z", at.z}};
  std::string hexadecimal;
  for (size_t i = 0; i < astc::kBlockBytes; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    hexadecimal += digits;
  }
  object["bytes"] = hexadecimal;
  const astc::SymbolicBlock block =
      astc::unpack_block(astc::load_block(bytes), to_astc(info.block));
  switch (block.kind) {
    case astc::BlockKind::kError:
      object["kind"] = "illegal";
      break;
    case astc::BlockKind::kVoidExtent:
      describe_void_extent(block.void_extent, object);
      break;
    case astc::BlockKind::kWeighted:
      describe_weighted(block, object);
      break;
  }
  return object;
}

void print_block_statistics(const Json& statistics) {
  const double blocks = std::max(1.0, statistics["blocks"].get<double>());
  for (const auto& [key, value] : statistics.items()) {
    if (value.is_number()) {
      std::printf("  %-14s %10llu  %5.1f %%\n", key.c_str(),
                  static_cast<unsigned long long>(value.get<uint64_t>()),
                  100 * value.get<double>() / blocks);
      continue;
    }
    std::printf("  %s\n", key.c_str());
    for (const auto& [name, count] : value.items()) {
      std::printf("    %-28s %10llu  %5.1f %%\n", name.c_str(),
                  static_cast<unsigned long long>(count.get<uint64_t>()),
                  100 * count.get<double>() / blocks);
    }
  }
}

void print_block(const Json& block) {
  const auto text = [&](const char* key) { return block[key].get<std::string>(); };
  std::printf(
      "  block %llu,%llu,%llu (%s): ", static_cast<unsigned long long>(block["x"].get<uint64_t>()),
      static_cast<unsigned long long>(block["y"].get<uint64_t>()),
      static_cast<unsigned long long>(block["z"].get<uint64_t>()), text("bytes").c_str());
  if (block["kind"] == "illegal") {
    std::printf("not a legal block; it decodes to the error colour\n");
    return;
  }
  if (block["kind"] == "void extent") {
    std::printf("one colour, %s, as four %s\n", block["color"].dump().c_str(),
                block["hdr"] ? "half floats (bits)" : "16-bit numbers");
    return;
  }
  std::printf("%u partition%s%s, a grid of %s weights with %u levels, %s, colours with %u levels\n",
              block["partitions"].get<unsigned>(), block["partitions"] == 1 ? "" : "s",
              block.contains("partition_seed")
                  ? (" (pattern " + block["partition_seed"].dump() + ")").c_str()
                  : "",
              text("grid").c_str(), block["weight_levels"].get<unsigned>(),
              block["planes"] == 1
                  ? "one plane"
                  : ("two planes (the second for " + text("second_plane") + ")").c_str(),
              block["color_levels"].get<unsigned>());
  for (const Json& mode : block["endpoint_modes"]) {
    std::printf("    endpoints: mode %u, %s\n", mode["number"].get<unsigned>(),
                mode["name"].get<std::string>().c_str());
  }
  std::printf("    colour codes: %s\n    weight codes: %s\n", block["color_codes"].dump().c_str(),
              block["weight_codes"].dump().c_str());
}

}  // namespace tessera::cli
