// Writes and reads the leaves of a plane as a stream of bits.
#include "fractal/plane_stream.h"

#include <array>

namespace tessera::fractal {
namespace {

// The part that writing and reading share. `Source` says what comes next when writing and receives
// it when reading.
template <typename Coder, typename Source>
class PlaneWalk {
 public:
  PlaneWalk(Coder& coder, const PlaneShape& shape, PlaneModel& model, Source& source)
      : coder_(coder),
        shape_(shape),
        model_(model),
        source_(source),
        neighbours_(shape.padded_width(), shape.padded_height()) {}

  void run() {
    for (uint32_t y = 0; y < shape_.padded_height(); y += kRootSide) {
      for (uint32_t x = 0; x < shape_.padded_width(); x += kRootSide) {
        block(x, y, kMaxLog2Side);
      }
    }
  }

 private:
  void block(uint32_t x, uint32_t y, uint32_t log2_side) {
    const bool outside = x >= shape_.width || y >= shape_.height;
    bool split = false;
    if (!outside && log2_side > kMinLog2Side) {
      split = source_.is_split(x, y, log2_side);
      coder_.bit(
          model_.split[log2_side - kMinLog2Side][neighbours_.smaller_neighbours(x, y, log2_side)],
          split);
    }
    if (split) {
      const uint32_t half = 1u << (log2_side - 1);
      for (uint32_t i = 0; i < 4; ++i) {
        block(x + (i & 1) * half, y + (i >> 1) * half, log2_side - 1);
      }
      return;
    }
    Leaf leaf = source_.next(x, y, log2_side);
    leaf_body(leaf, outside);
    neighbours_.remember(leaf);
    source_.done(leaf);
  }

  void leaf_body(Leaf& leaf, bool outside) {
    const uint32_t size = leaf.log2_side - kMinLog2Side;
    const auto context = neighbours_.predict(leaf.x, leaf.y, leaf.side());
    const int32_t step = mean_step(shape_.dct_step, leaf.log2_side);
    if (outside) {
      leaf.kind = LeafKind::kFlat;
      leaf.mean = dequantise_mean(context, step, 0);
      return;
    }
    const DomainField field =
        domain_field(shape_.padded_width() / 2, shape_.padded_height() / 2, leaf.side());
    bool detail = leaf.kind != LeafKind::kFlat;
    if (shape_.hybrid || field.usable()) {
      coder_.bit(model_.detail[size][neighbours_.detailed_neighbours(leaf.x, leaf.y)], detail);
    } else {
      detail = false;
    }
    bool dct = leaf.kind == LeafKind::kDct;
    if (detail && shape_.hybrid && field.usable()) {
      coder_.bit(model_.dct[size][neighbours_.dct_neighbours(leaf.x, leaf.y)], dct);
    } else {
      dct = detail && shape_.hybrid;
    }
    leaf.kind = !detail ? LeafKind::kFlat : (dct ? LeafKind::kDct : LeafKind::kFractal);
    int32_t difference = quantise_mean(context, step, leaf.mean);
    code_signed(coder_, model_.mean[size][spread_class(context.spread, step)], difference);
    leaf.mean = dequantise_mean(context, step, difference);
    if (leaf.kind == LeafKind::kFractal) {
      code_domain(coder_, model_, size, field, leaf);
    } else if (leaf.kind == LeafKind::kDct) {
      code_levels(coder_, model_, size, leaf.level_count, source_.levels(leaf));
    }
  }

  Coder& coder_;
  const PlaneShape& shape_;
  PlaneModel& model_;
  Source& source_;
  Neighbourhood neighbours_;
};

// Leaves of a list, in order.
class WriteSource {
 public:
  explicit WriteSource(LeafList& list) : list_(list) {}

  bool is_split(uint32_t, uint32_t, uint32_t log2_side) const {
    return list_.leaves[next_].log2_side < log2_side;
  }
  Leaf next(uint32_t, uint32_t, uint32_t) const { return list_.leaves[next_]; }
  int16_t* levels(Leaf& leaf) { return list_.levels.data() + leaf.first_level; }
  void done(const Leaf& leaf) { list_.leaves[next_++] = leaf; }

 private:
  LeafList& list_;
  size_t next_ = 0;
};

class ReadSource {
 public:
  explicit ReadSource(LeafList& list) : list_(list) {}

  bool is_split(uint32_t, uint32_t, uint32_t) const { return false; }
  Leaf next(uint32_t x, uint32_t y, uint32_t log2_side) const {
    Leaf leaf;
    leaf.x = static_cast<uint16_t>(x);
    leaf.y = static_cast<uint16_t>(y);
    leaf.log2_side = static_cast<uint8_t>(log2_side);
    return leaf;
  }
  int16_t* levels(Leaf& leaf) {
    leaf.first_level = static_cast<uint32_t>(list_.levels.size());
    return levels_.data();
  }
  void done(const Leaf& leaf) {
    if (leaf.kind == LeafKind::kDct) {
      list_.levels.insert(list_.levels.end(), levels_.begin(), levels_.begin() + leaf.level_count);
    }
    list_.leaves.push_back(leaf);
  }

 private:
  LeafList& list_;
  std::array<int16_t, kMaxLevels> levels_{};  // of the leaf being read
};

}  // namespace

int32_t quantise_mean(const Neighbourhood::Context& context, int32_t step, int32_t mean) {
  const int32_t difference = mean - context.predicted_mean;
  return difference >= 0 ? (difference + step / 2) / step : -((-difference + step / 2) / step);
}

int16_t dequantise_mean(const Neighbourhood::Context& context, int32_t step, int32_t difference) {
  const int64_t mean = context.predicted_mean + int64_t{difference} * step;
  return static_cast<int16_t>(std::clamp<int64_t>(mean, 0, kMaxSample));
}

void write_plane(BitWriter& writer, const PlaneShape& shape, PlaneModel& model, LeafList& list) {
  WriteSource source(list);
  PlaneWalk walk(writer, shape, model, source);
  walk.run();
}

std::vector<RateModel::Counts> count_plane(const PlaneShape& shape, LeafList& list) {
  PlaneModel model;
  CountingCoder counter(model);
  WriteSource source(list);
  PlaneWalk walk(counter, shape, model, source);
  walk.run();
  return counter.counts();
}

LeafList read_plane(BitReader& reader, const PlaneShape& shape) {
  LeafList list;
  list.width = shape.padded_width();
  list.height = shape.padded_height();
  list.dct_step = shape.dct_step;
  // About as many as an ordinary picture has.
  const size_t samples = size_t{list.width} * list.height;
  list.leaves.reserve(samples / 96);
  list.levels.reserve(samples / 16);
  PlaneModel model;
  ReadSource source(list);
  PlaneWalk walk(reader, shape, model, source);
  walk.run();
  return list;
}

}  // namespace tessera::fractal
