// What ASTC blocks are made of: a few numbers of each, or one explained.
#include <algorithm>
#include <vector>

#include "astc/astc_codec.h"
#include "astc/decode/reference_decode.h"
#include "astc/format/block128.h"
#include "astc/format/infill.h"
#include "astc/format/partition.h"
#include "astc/format/quantization.h"
#include "astc/format/symbolic_block.h"
#include "astc/inspect/block_statistics.h"
#include "containers/format_table.h"
#include "reply.h"

namespace tessera::web {
namespace {

constexpr uint8_t kNone = 255;
constexpr size_t kRecordBytes = 14;

// kind, partitions, planes, channel of the second plane, four endpoint modes, grid width and
// height, weight levels, a zero, colour levels in two bytes.
void write_record(const astc::SymbolicBlock& block, uint8_t* record) {
  record[0] = block.kind == astc::BlockKind::kWeighted     ? 0
              : block.kind == astc::BlockKind::kVoidExtent ? 1
                                                           : 2;
  std::fill(record + 3, record + 8, kNone);
  if (block.kind != astc::BlockKind::kWeighted) {
    return;
  }
  record[1] = block.partition_count;
  record[2] = block.mode.dual_plane ? 2 : 1;
  record[3] = block.mode.dual_plane ? block.plane2_channel : kNone;
  for (unsigned i = 0; i < block.partition_count; ++i) {
    record[4 + i] = static_cast<uint8_t>(block.endpoint_modes[i]);
  }
  record[8] = block.mode.grid.x;
  record[9] = block.mode.grid.y;
  record[10] = static_cast<uint8_t>(astc::range_levels(block.mode.weight_range));
  const unsigned color_levels = astc::range_levels(block.color_range);
  record[12] = static_cast<uint8_t>(color_levels);
  record[13] = static_cast<uint8_t>(color_levels >> 8);
}

Result<BlockSize> read_block_size(uint32_t width, uint32_t height) {
  const BlockSize block = {static_cast<uint8_t>(std::min(width, 255U)),
                           static_cast<uint8_t>(std::min(height, 255U)), 1};
  if (!format_row(TextureFormat::kAstc).has_block(block)) {
    return usage_error("astc has no blocks of " + std::to_string(width) + "x" +
                       std::to_string(height));
  }
  return block;
}

template <class Values>
Json array_json(const Values& values, size_t count) {
  Json array = Json::Array();
  for (size_t i = 0; i < count; ++i) {
    array.push_back(values[i]);
  }
  return array;
}

std::vector<uint8_t> partition_map(const astc::SymbolicBlock& block, BlockSize size) {
  std::vector<uint8_t> texels(size.texel_count());
  if (block.partition_count > 1) {
    astc::PatternDrawer(size).draw(block.partition_count, block.partition_seed, texels);
  }
  return texels;
}

// Weights of the texels in one plane, 0 to 64.
std::vector<uint8_t> texel_weights(const astc::SymbolicBlock& block, BlockSize size,
                                   unsigned plane) {
  const unsigned planes = block.mode.dual_plane ? 2 : 1;
  const astc::WeightTable& table = astc::weight_table(block.mode.weight_range);
  std::vector<astc::InfillTap> taps(size.texel_count());
  astc::make_infill_taps(size, block.mode.grid, taps);
  std::vector<uint8_t> weights;
  for (const astc::InfillTap& tap : taps) {
    unsigned sum = 8;
    for (unsigned i = 0; i < 4; ++i) {
      sum += tap.factor[i] * table.value_of_code[block.weight_codes[tap.grid[i] * planes + plane]];
    }
    weights.push_back(static_cast<uint8_t>(sum / 16));
  }
  return weights;
}

Json endpoints_json(const astc::SymbolicBlock& block) {
  const auto endpoints = astc::block_endpoints(block);
  Json array = Json::Array();
  for (unsigned i = 0; i < block.partition_count; ++i) {
    array.push_back(Json::object({{"low", array_json(endpoints[i].low, 4)},
                                  {"high", array_json(endpoints[i].high, 4)},
                                  {"hdr", endpoints[i].rgb_is_hdr}}));
  }
  return array;
}

Json explain(const astc::SymbolicBlock& block, BlockSize size) {
  if (block.kind == astc::BlockKind::kError) {
    return Json::object({{"kind", "illegal"}});
  }
  if (block.kind == astc::BlockKind::kVoidExtent) {
    return Json::object({{"kind", "void extent"},
                         {"hdr", block.void_extent.is_hdr},
                         {"color", array_json(block.void_extent.color, 4)}});
  }
  const std::vector<uint8_t> partitions = partition_map(block, size);
  const std::vector<uint8_t> weights = texel_weights(block, size, 0);
  Json modes = Json::Array();
  for (unsigned i = 0; i < block.partition_count; ++i) {
    modes.push_back(static_cast<unsigned>(block.endpoint_modes[i]));
  }
  Json object = Json::object(
      {{"kind", "weighted"},
       {"partitions", block.partition_count},
       {"seed", block.partition_seed},
       {"planes", block.mode.dual_plane ? 2 : 1},
       {"secondPlaneChannel", block.plane2_channel},
       {"gridWidth", block.mode.grid.x},
       {"gridHeight", block.mode.grid.y},
       {"weightLevels", astc::range_levels(block.mode.weight_range)},
       {"colorLevels", astc::range_levels(block.color_range)},
       {"weightBits", block.mode.weight_bit_count()},
       {"colorBits", astc::sequence_bit_count(block.color_range, block.color_value_count())},
       {"endpointModes", std::move(modes)},
       {"endpoints", endpoints_json(block)},
       {"partitionMap", array_json(partitions, partitions.size())},
       {"weights", array_json(weights, weights.size())}});
  if (block.mode.dual_plane) {
    const std::vector<uint8_t> second = texel_weights(block, size, 1);
    object.set("secondWeights", array_json(second, second.size()));
  }
  return object;
}

}  // namespace
}  // namespace tessera::web

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::web;  // NOLINT(google-build-using-namespace)

// A record for each block.
TESSERA_EXPORT(tessera_web_inspect_astc)
int32_t tessera_web_inspect_astc(const uint8_t* blocks, uint32_t count, uint32_t block_width,
                                 uint32_t block_height) {
  return serve([&]() -> Status {
    TESSERA_ASSIGN_OR_RETURN(const BlockSize size, read_block_size(block_width, block_height));
    const uint64_t bytes = uint64_t{count} * kRecordBytes;
    if (!fits_memory(bytes)) {
      return failed_error("not enough memory for what " + std::to_string(count) + " blocks are");
    }
    reply().bytes.append_zeros(static_cast<size_t>(bytes));
    for (size_t i = 0; i < count; ++i) {
      const astc::Block128 block = astc::load_block(blocks + i * astc::kBlockBytes);
      write_record(astc::unpack_block(block, size), reply().bytes.data() + i * kRecordBytes);
    }
    return {};
  });
}

TESSERA_EXPORT(tessera_web_explain_astc)
int32_t tessera_web_explain_astc(const uint8_t* block, uint32_t block_width,
                                 uint32_t block_height) {
  return serve([&]() -> Status {
    TESSERA_ASSIGN_OR_RETURN(const BlockSize size, read_block_size(block_width, block_height));
    reply_with(explain(astc::unpack_block(astc::load_block(block), size), size));
    return {};
  });
}
