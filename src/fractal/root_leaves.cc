// Packs the leaves of a root block for other processes, and checks what comes from them.
#include "fractal/root_leaves.h"

#include <cstdlib>

#include "fractal/leaf_syntax.h"

namespace tessera::fractal {
namespace {

constexpr uint32_t kMostLeaves = (kRootSide >> kMinLog2Side) * (kRootSide >> kMinLog2Side);
constexpr uint8_t kIsometries = 8;

LeafChoiceResult load_leaf(ByteReader& reader) {
  LeafChoiceResult result;
  Leaf& leaf = result.leaf;
  leaf.x = reader.read<uint16_t>();
  leaf.y = reader.read<uint16_t>();
  leaf.log2_side = reader.read<uint8_t>();
  leaf.kind = static_cast<LeafKind>(reader.read<uint8_t>());
  leaf.scale = static_cast<int8_t>(reader.read<uint8_t>());
  leaf.isometry = reader.read<uint8_t>();
  leaf.mean = static_cast<int16_t>(reader.read<uint16_t>());
  leaf.domain_x = reader.read<uint16_t>();
  leaf.domain_y = reader.read<uint16_t>();
  leaf.level_count = reader.read<uint16_t>();
  if (leaf.level_count <= kMaxDctSide * kMaxDctSide) {
    for (uint32_t i = 0; i < leaf.level_count; ++i) {
      result.levels.push_back(static_cast<int16_t>(reader.read<uint16_t>()));
    }
  }
  return result;
}

bool is_possible_scale(int scale) {
  const int size = std::abs(scale);
  return size % kScaleStep == 0 && size >= kScaleStep && size <= kScaleSteps * kScaleStep;
}

bool is_possible(const LeafChoiceResult& result, uint32_t half_width, uint32_t half_height) {
  const Leaf& leaf = result.leaf;
  if (leaf.log2_side < kMinLog2Side || leaf.log2_side > kMaxLog2Side ||
      leaf.kind > LeafKind::kDct || leaf.isometry >= kIsometries ||
      result.levels.size() != leaf.level_count || leaf.level_count > max_levels(leaf.log2_side) ||
      (leaf.kind == LeafKind::kDct) != (leaf.level_count > 0) || leaf.mean < 0 ||
      leaf.mean > kMaxSample ||
      (leaf.kind == LeafKind::kFractal && !is_possible_scale(leaf.scale))) {
    return false;
  }
  return leaf.kind != LeafKind::kFractal ||
         (leaf.domain_x + leaf.side() <= half_width && leaf.domain_y + leaf.side() <= half_height);
}

// Whether `leaves` from `next` on are the quadtree below a block; moves `next` past it.
bool covers(const std::vector<LeafChoiceResult>& leaves, size_t& next, uint32_t x, uint32_t y,
            uint32_t log2_side) {
  if (next == leaves.size()) {
    return false;
  }
  const Leaf& leaf = leaves[next].leaf;
  if (leaf.log2_side == log2_side) {
    ++next;
    return leaf.x == x && leaf.y == y;
  }
  if (log2_side == kMinLog2Side) {
    return false;
  }
  const uint32_t half = 1u << (log2_side - 1);
  return covers(leaves, next, x, y, log2_side - 1) &&
         covers(leaves, next, x + half, y, log2_side - 1) &&
         covers(leaves, next, x, y + half, log2_side - 1) &&
         covers(leaves, next, x + half, y + half, log2_side - 1);
}

}  // namespace

void save_root(const RootLeaves& root, Bytes& bytes) {
  ByteWriter writer(bytes);
  writer.write(static_cast<uint32_t>(root.leaves.size()));
  for (const LeafChoiceResult& result : root.leaves) {
    const Leaf& leaf = result.leaf;
    writer.write(leaf.x);
    writer.write(leaf.y);
    writer.write(leaf.log2_side);
    writer.write(static_cast<uint8_t>(leaf.kind));
    writer.write(static_cast<uint8_t>(leaf.scale));
    writer.write(leaf.isometry);
    writer.write(static_cast<uint16_t>(leaf.mean));
    writer.write(leaf.domain_x);
    writer.write(leaf.domain_y);
    writer.write(leaf.level_count);
    for (const int16_t level : result.levels) {
      writer.write(static_cast<uint16_t>(level));
    }
  }
}

Result<RootLeaves> load_root(ByteReader& reader, uint32_t x, uint32_t y, uint32_t half_width,
                             uint32_t half_height) {
  const auto count = reader.read<uint32_t>();
  if (!reader.ok() || count > kMostLeaves) {
    return wrong_results();
  }
  RootLeaves root;
  for (uint32_t i = 0; i < count; ++i) {
    root.leaves.push_back(load_leaf(reader));
    if (!reader.ok() || !is_possible(root.leaves.back(), half_width, half_height)) {
      return wrong_results();
    }
  }
  size_t next = 0;
  if (!covers(root.leaves, next, x, y, kMaxLog2Side) || next != count) {
    return wrong_results();
  }
  return root;
}

}  // namespace tessera::fractal
