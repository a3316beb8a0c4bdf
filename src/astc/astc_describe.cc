// Describes the blocks of ASTC textures: statistics of all, or one explained.
#include "astc/astc_describe.h"

#include <charconv>
#include <type_traits>

#include "astc/astc_codec.h"
#include "astc/format/block128.h"
#include "astc/inspect/block_statistics.h"
#include "base/bytes.h"

namespace tessera {
namespace {

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

template <class Values>
Json numbers_json(const Values& values, size_t count) {
  Json array = Json::Array();
  for (size_t i = 0; i < count; ++i) {
    array.push_back(values[i]);
  }
  return array;
}

void describe_void_extent(const astc::VoidExtent& extent, Json& object) {
  object.set("kind", "void extent");
  object.set("hdr", extent.is_hdr);
  object.set("color", numbers_json(extent.color, std::size(extent.color)));
  if (extent.has_extent) {
    Json intervals = Json::Array();
    for (const auto& interval : extent.extent) {
      intervals.push_back(Json::Array{interval.low, interval.high});
    }
    object.set("extent", intervals);
  }
}

void describe_weighted(const astc::SymbolicBlock& block, Json& object) {
  static constexpr const char* kChannels[] = {"red", "green", "blue", "alpha"};
  object.set("kind", "weighted");
  object.set("partitions", block.partition_count);
  if (block.partition_count > 1) {
    object.set("partition_seed", block.partition_seed);
  }
  object.set("grid", astc::grid_name(block.mode.grid));
  object.set("planes", block.mode.dual_plane ? 2 : 1);
  if (block.mode.dual_plane) {
    object.set("second_plane", kChannels[block.plane2_channel]);
  }
  object.set("weight_levels", astc::range_levels(block.mode.weight_range));
  object.set("color_levels", astc::range_levels(block.color_range));
  Json modes = Json::Array();
  for (unsigned i = 0; i < block.partition_count; ++i) {
    const astc::EndpointMode mode = block.endpoint_modes[i];
    modes.push_back(Json::object(
        {{"number", static_cast<unsigned>(mode)}, {"name", astc::endpoint_mode_name(mode)}}));
  }
  object.set("endpoint_modes", modes);
  object.set("color_codes", numbers_json(block.color_codes, block.color_value_count()));
  object.set("weight_codes", numbers_json(block.weight_codes, block.mode.weight_count()));
}

std::string hexadecimal(const uint8_t* bytes, size_t count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

template <class Counts>
Json counts_json(const Counts& counts) {
  Json object;
  for (const auto& [key, count] : counts) {
    if constexpr (std::is_same_v<std::decay_t<decltype(key)>, std::string>) {
      object.set(key, count);
    } else {
      object.set(std::to_string(key), count);
    }
  }
  return object;
}

}  // namespace

Json describe_astc_blocks(const Texture& texture) {
  const astc::BlockStatistics statistics =
      astc::count_blocks(texture.levels[0], texture.info.block);
  Json modes;
  for (size_t i = 0; i < statistics.endpoint_modes.size(); ++i) {
    if (statistics.endpoint_modes[i] > 0) {
      modes.set(
          std::to_string(i) + " " + astc::endpoint_mode_name(static_cast<astc::EndpointMode>(i)),
          statistics.endpoint_modes[i]);
    }
  }
  return Json::object({{"blocks", statistics.blocks},
                       {"illegal", statistics.illegal},
                       {"void_extents", statistics.void_extents},
                       {"dual_planes", statistics.dual_planes},
                       {"partitions", Json::object({{"1", statistics.partitions[0]},
                                                    {"2", statistics.partitions[1]},
                                                    {"3", statistics.partitions[2]},
                                                    {"4", statistics.partitions[3]}})},
                       {"grids", counts_json(statistics.grids)},
                       {"weight_levels", counts_json(statistics.weight_levels)},
                       {"color_levels", counts_json(statistics.color_levels)},
                       {"endpoint_modes", modes}});
}

BlockMap map_astc_blocks(const Texture& texture) {
  // The places of the names below.
  constexpr uint8_t kOneColor = 0;
  constexpr uint8_t kIllegal = 9;
  BlockMap map;
  map.names = {{"one colour", "#9aa0a6"},
               {"one partition", "#4c78a8"},
               {"two partitions", "#f2cf5b"},
               {"three partitions", "#f58518"},
               {"four partitions", "#e45756"},
               {"one partition, two planes", "#72b7b2"},
               {"two partitions, two planes", "#54a24b"},
               {"three partitions, two planes", "#b279a2"},
               {"four partitions, two planes", "#ff9da6"},
               {"illegal", "#ff00ff"}};
  const TextureInfo& info = texture.info;
  map.across = static_cast<uint32_t>(divide_round_up(info.width, info.block.width));
  const ByteSpan blocks = texture.levels[0];
  map.kinds.reserve(blocks.size() / astc::kBlockBytes);
  for (size_t at = 0; at + astc::kBlockBytes <= blocks.size(); at += astc::kBlockBytes) {
    const astc::SymbolicBlock block =
        astc::unpack_block(astc::load_block(blocks.data() + at), info.block);
    uint8_t kind = kOneColor;
    if (block.kind == astc::BlockKind::kError) {
      kind = kIllegal;
    } else if (block.kind == astc::BlockKind::kWeighted) {
      kind = static_cast<uint8_t>(block.partition_count + (block.mode.dual_plane ? 4 : 0));
    }
    map.kinds.push_back(kind);
  }
  map.down = static_cast<uint32_t>(map.kinds.size() / map.across);
  return map;
}

Result<Json> describe_astc_block(const Texture& texture, const std::string& position,
                                 const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const BlockPosition at, parse_position(position));
  const TextureInfo& info = texture.info;
  const uint64_t across = divide_round_up(info.width, info.block.width);
  const uint64_t down = divide_round_up(info.height, info.block.height);
  const uint64_t deep = divide_round_up(info.depth, info.block.depth) * info.layers;
  if (at.x >= across || at.y >= down || at.z >= deep) {
    return usage_error(name + " has " + std::to_string(across) + "x" + std::to_string(down) + "x" +
                       std::to_string(deep) + " blocks, so there is none at " + position);
  }
  const uint64_t index = (at.z * down + at.y) * across + at.x;
  const uint8_t* const bytes =
      texture.levels[0].data() + static_cast<size_t>(index * astc::kBlockBytes);
  Json object = Json::object(
      {{"x", at.x}, {"y", at.y}, {"z", at.z}, {"bytes", hexadecimal(bytes, astc::kBlockBytes)}});
  const astc::SymbolicBlock block = astc::unpack_block(astc::load_block(bytes), info.block);
  switch (block.kind) {
    case astc::BlockKind::kError:
      object.set("kind", "illegal");
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

}  // namespace tessera
