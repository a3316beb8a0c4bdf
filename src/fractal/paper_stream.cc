// The paper's transforms as bits: split flags, mean, s, rotation, domain number.
#include <algorithm>
#include <map>

#include "fractal/bit_coder.h"
#include "fractal/paper_coder.h"

namespace tessera::fractal {
namespace {

constexpr int kScaleBits = 5;
static_assert(1 << kScaleBits == kPaperScaleLevels);
static_assert(kScaleUnit == kPaperScaleLevels);

struct PaperModel {
  AdaptiveBit split[16];
  BitTree<8> mean;
  BitTree<kScaleBits> scale;
  BitTree<2> rotation;
};

struct PaperSymbols {
  uint32_t mean = 0;
  uint32_t scale = 0;
  uint32_t rotation = 0;
  uint32_t domain = 0;
};

// s = 0 needs no rotation and no domain.
template <typename Coder>
void code_leaf(Coder& coder, PaperModel& model, uint32_t domain_count, PaperSymbols& symbols) {
  model.mean.code(coder, symbols.mean);
  model.scale.code(coder, symbols.scale);
  if (symbols.scale != 0) {
    model.rotation.code(coder, symbols.rotation);
    coder.uniform(domain_count, symbols.domain);
  }
}

PaperSymbols symbols_of(const PaperTransform& transform) {
  PaperSymbols symbols;
  symbols.mean = transform.mean;
  symbols.scale = static_cast<uint32_t>(std::clamp(
      static_cast<int>(transform.match.scale * kPaperScaleLevels + 0.5), 0, kPaperScaleLevels - 1));
  symbols.rotation = transform.match.rotation;
  symbols.domain = transform.match.domain;
  return symbols;
}

// Walks the quadtree; leaf(x, y, side, domain_count) is called where split(x, y, depth) says no.
template <typename Split, typename LeafCall>
void walk(uint32_t x, uint32_t y, uint32_t side, uint32_t depth, uint32_t across,
          const Split& split, const LeafCall& leaf) {
  if (depth == 0 || split(x, y, side, depth)) {
    const uint32_t h = side / 2;
    for (uint32_t i = 0; i < 4; ++i) {
      walk(x + (i & 1) * h, y + (i >> 1) * h, h, depth + 1, across * 2, split, leaf);
    }
    return;
  }
  // Domains of twice the side: a quarter as many as ranges.
  leaf(x, y, side, (across / 2) * (across / 2));
}

}  // namespace

Bytes write_paper_stream(const PaperEncoding& encoding, uint32_t side, uint32_t depth) {
  std::map<std::pair<uint32_t, uint32_t>, const PaperTransform*> by_place;
  for (const PaperTransform& transform : encoding.transforms) {
    by_place[{transform.range.y, transform.range.x}] = &transform;
  }
  Bytes stream;
  BitWriter writer(stream);
  PaperModel model;
  walk(
      0, 0, side, 0, 1,
      [&](uint32_t x, uint32_t y, uint32_t block_side, uint32_t block_depth) {
        if (block_depth == depth) {
          return false;
        }
        const auto found = by_place.find({y, x});
        bool is_split = found == by_place.end() || found->second->side != block_side;
        writer.bit(model.split[block_depth], is_split);
        return is_split;
      },
      [&](uint32_t x, uint32_t y, uint32_t, uint32_t domain_count) {
        PaperSymbols symbols = symbols_of(*by_place.at({y, x}));
        code_leaf(writer, model, domain_count, symbols);
      });
  writer.finish();
  return stream;
}

Result<LeafList> read_paper_stream(ByteSpan stream, uint32_t side, uint32_t depth,
                                   const std::string& name) {
  LeafList list;
  list.width = list.height = side;
  BitReader reader(stream);
  PaperModel model;
  walk(
      0, 0, side, 0, 1,
      [&](uint32_t, uint32_t, uint32_t, uint32_t block_depth) {
        // Past the end everything is a leaf, so that a cut file costs no time.
        if (block_depth == depth || reader.overrun()) {
          return false;
        }
        bool is_split = false;
        reader.bit(model.split[block_depth], is_split);
        return is_split;
      },
      [&](uint32_t x, uint32_t y, uint32_t block_side, uint32_t domain_count) {
        PaperSymbols symbols;
        code_leaf(reader, model, domain_count, symbols);
        Leaf leaf;
        leaf.x = static_cast<uint16_t>(x);
        leaf.y = static_cast<uint16_t>(y);
        while (leaf.side() < block_side) {
          ++leaf.log2_side;
        }
        leaf.mean = static_cast<int16_t>(symbols.mean * kSampleUnit);
        if (symbols.scale != 0) {
          const uint32_t across = side / 2 / block_side;
          leaf.kind = LeafKind::kFractal;
          leaf.scale = static_cast<int8_t>(symbols.scale);
          leaf.isometry = static_cast<uint8_t>(symbols.rotation);
          leaf.domain_x = static_cast<uint16_t>(symbols.domain % across * block_side);
          leaf.domain_y = static_cast<uint16_t>(symbols.domain / across * block_side);
        }
        list.leaves.push_back(leaf);
      });
  if (reader.overrun()) {
    return invalid_error(name + ": the stream of the paper's coder ends too early");
  }
  return list;
}

}  // namespace tessera::fractal
