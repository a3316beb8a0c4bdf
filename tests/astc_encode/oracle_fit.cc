// Fits of the oracle: weights and endpoints by least squares, then single steps.
#include "oracle_fit.h"

#include <algorithm>
#include <cmath>

#include "astc/decode/sample_conversion.h"
#include "astc/format/infill.h"
#include "astc/format/quantization.h"

namespace tessera::astc::oracle {
namespace {

constexpr unsigned kPasses = 4;
constexpr IntegerRange kFewLevels = IntegerRange::k4Levels;
constexpr unsigned kRealSweeps = 4;     // of least squares for the weights of a grid
constexpr unsigned kRoundedSweeps = 2;  // with weights rounded to their levels

const std::vector<uint8_t>& unorm8_of_unorm16() {
  static const std::vector<uint8_t> table = [] {
    std::vector<uint8_t> made(65536);
    for (unsigned i = 0; i < 65536; ++i) {
      made[i] = unorm16_to_unorm8(static_cast<uint16_t>(i));
    }
    return made;
  }();
  return table;
}

uint8_t round_weight(double weight, const WeightTable& table) {
  return table.nearest_code[static_cast<size_t>(std::clamp(weight, 0.0, 64.0) + 0.5)];
}

std::vector<uint8_t> round_weights(std::span<const double> weights, const WeightTable& table) {
  std::vector<uint8_t> codes;
  codes.reserve(weights.size());
  for (const double weight : weights) {
    codes.push_back(round_weight(weight, table));
  }
  return codes;
}

// Weighted least squares for one plane of a grid, one weight at a time.
class GridSolver {
 public:
  GridSolver(const Grid& grid, std::span<const double> target, std::span<const double> importance)
      : grid_(grid), importance_(importance), weights_(grid.reaches.size()) {
    missing_.assign(target.begin(), target.end());
    for (unsigned w = 0; w < weights_.size(); ++w) {
      double sum = 0, total = 0;
      for (const auto& [texel, factor] : grid.reaches[w]) {
        sum += factor * importance[texel] * std::clamp(target[texel], 0.0, 64.0);
        total += factor * importance[texel];
      }
      set(w, total > 0 ? sum / total : 32);
    }
  }

  void sweep() {
    for (unsigned w = 0; w < weights_.size(); ++w) {
      set(w, wanted(w));
    }
  }

  void sweep_rounded(const WeightTable& table) {
    for (unsigned w = 0; w < weights_.size(); ++w) {
      set(w, table.value_of_code[round_weight(wanted(w), table)]);
    }
  }

  std::span<const double> weights() const { return weights_; }

 private:
  // The best value of a weight, the others as they are.
  double wanted(unsigned w) const {
    double slope = 0, curvature = 0;
    for (const auto& [texel, factor] : grid_.reaches[w]) {
      slope += factor * importance_[texel] * missing_[texel];
      curvature += factor * factor * importance_[texel];
    }
    const double step = curvature > 0 ? 16 * slope / curvature : 0;
    return std::clamp(weights_[w] + step, 0.0, 64.0);
  }

  void set(unsigned w, double value) {
    const double step = (value - weights_[w]) / 16;
    weights_[w] = value;
    for (const auto& [texel, factor] : grid_.reaches[w]) {
      missing_[texel] -= factor * step;
    }
  }

  const Grid& grid_;
  std::span<const double> importance_;
  std::vector<double> weights_;
  std::vector<double> missing_;  // of each texel's weight to its target
};

void add(const Segment& part, Segment& sum) {
  for (unsigned i = 0; i < 4; ++i) {
    sum.low[i] += part.low[i];
    sum.high[i] += part.high[i];
  }
}

}  // namespace

int texel_weight(const std::vector<std::pair<unsigned, int>>& taps, std::span<const uint8_t> codes,
                 unsigned planes, unsigned plane, const WeightTable& table) {
  int sum = 8;
  for (const auto& [weight, factor] : taps) {
    sum += factor * table.value_of_code[codes[weight * planes + plane]];
  }
  return sum >> 4;
}

std::array<Segment, 4> segments_of(const std::array<StoredColors, 4>& colors, unsigned partitions) {
  std::array<Segment, 4> segments;
  for (unsigned p = 0; p < partitions; ++p) {
    for (unsigned i = 0; i < 4; ++i) {
      segments[p].low[i] = colors[p].pair.low[i];
      segments[p].high[i] = colors[p].pair.high[i];
    }
  }
  return segments;
}

void store(const std::array<StoredColors, 4>& colors, unsigned partitions, SymbolicBlock& block) {
  unsigned next = 0;
  block.color_codes.fill(0);
  for (unsigned p = 0; p < partitions; ++p) {
    block.endpoint_modes[p] = colors[p].mode;
    for (unsigned i = 0; i < color_value_count(static_cast<unsigned>(colors[p].mode)); ++i) {
      block.color_codes[next++] = colors[p].codes[i];
    }
  }
}

Grid make_grid(BlockSize size, GridSize grid) {
  Grid result;
  result.reaches.resize(grid.count());
  const auto taps = infill_table(size).taps(grid);
  for (unsigned t = 0; t < taps.size(); ++t) {
    auto& own = result.taps.emplace_back();
    for (unsigned i = 0; i < 4; ++i) {
      if (taps[t].factor[i] != 0) {
        own.emplace_back(taps[t].grid[i], taps[t].factor[i]);
        result.reaches[taps[t].grid[i]].push_back({t, taps[t].factor[i]});
      }
    }
  }
  return result;
}

Fitter::Fitter(std::span<const Rgba> texels, BlockSize size)
    : texels_(texels.begin(), texels.end()), size_(size), content_(content_of(texels)) {}

void Fitter::start(const Division& division) {
  division_ = &division;
  // Where alpha has the weights of the colours, a line through black is no good start.
  const bool alpha_apart = content_ != Content::kRgba || division.plane2 == 3;
  lines_ = lines_through_black_ = {};
  for (unsigned p = 0; p < division.partitions; ++p) {
    for (unsigned plane = 0; plane < division.planes(); ++plane) {
      const bool has_scale = alpha_apart && (plane == 0 || division.plane2 != 3);
      const Line line = fit_line(texels_, division, p, plane, false);
      const Line scaled = fit_line(texels_, division, p, plane, has_scale);
      add(line.outer, lines_.outer[p]);
      add(line.inner, lines_.inner[p]);
      add(scaled.outer, lines_through_black_.outer[p]);
      add(scaled.inner, lines_through_black_.inner[p]);
    }
  }
}

uint32_t Fitter::texel_error(unsigned texel, const EndpointPair& pair,
                             const TexelWeights& weights) const {
  static const uint8_t* const kUnorm8 = unorm8_of_unorm16().data();
  uint32_t sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto weight = static_cast<unsigned>(weights[division_->plane_of(i)][texel]);
    const unsigned value =
        (pair.low[i] * 257u * (64 - weight) + pair.high[i] * 257u * weight + 32) >> 6;
    const int difference = texels_[texel][i] - kUnorm8[value];
    sum += static_cast<uint32_t>(difference * difference);
  }
  return sum;
}

uint32_t Fitter::partition_error(unsigned partition, const EndpointPair& pair,
                                 const TexelWeights& weights, uint32_t limit) const {
  uint32_t sum = 0;
  for (unsigned t = 0; t < texels_.size() && sum < limit; ++t) {
    sum += division_->partition_of[t] == partition ? texel_error(t, pair, weights) : 0;
  }
  return sum;
}

uint32_t Fitter::block_error(const PartitionColors& colors, const TexelWeights& weights) const {
  uint32_t sum = 0;
  for (unsigned p = 0; p < division_->partitions; ++p) {
    sum += partition_error(p, colors[p].pair, weights);
  }
  return sum;
}

Fitter::Target Fitter::target_of(const std::array<Segment, 4>& segments, unsigned plane) const {
  Target target{std::vector<double>(texels_.size()), std::vector<double>(texels_.size())};
  for (unsigned t = 0; t < texels_.size(); ++t) {
    const Segment& segment = segments[division_->partition_of[t]];
    double length = 0, place = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if (division_->plane_of(i) == plane) {
        const double way = segment.high[i] - segment.low[i];
        length += way * way;
        place += way * (texels_[t][i] - segment.low[i]);
      }
    }
    target.weight[t] = length > 0 ? 64 * place / length : 32;
    target.importance[t] = length;
  }
  return target;
}

void Fitter::choose_weights(const std::array<Segment, 4>& segments, const Grid& grid,
                            SymbolicBlock& block, TexelWeights& weights) const {
  const WeightTable& table = weight_table(block.mode.weight_range);
  const unsigned planes = division_->planes();
  const bool weight_a_texel = grid.reaches.size() == texels_.size();
  for (unsigned plane = 0; plane < planes; ++plane) {
    const Target target = target_of(segments, plane);
    const std::vector<uint8_t> codes =
        weight_a_texel ? round_weights(target.weight, table) : solve_weights(grid, target, table);
    for (unsigned w = 0; w < codes.size(); ++w) {
      block.weight_codes[w * planes + plane] = codes[w];
    }
    weights[plane].resize(texels_.size());
    for (unsigned t = 0; t < texels_.size(); ++t) {
      weights[plane][t] = texel_weight(grid.taps[t], block.weight_codes, planes, plane, table);
    }
  }
}

std::vector<uint8_t> Fitter::solve_weights(const Grid& grid, const Target& target,
                                           const WeightTable& table) {
  GridSolver solver(grid, target.weight, target.importance);
  for (unsigned i = 0; i < kRealSweeps; ++i) {
    solver.sweep();
  }
  for (unsigned i = 0; i < kRoundedSweeps; ++i) {
    solver.sweep_rounded(table);
  }
  return round_weights(solver.weights(), table);
}

Segment Fitter::least_squares(unsigned partition, const TexelWeights& weights) const {
  Segment segment;
  for (unsigned i = 0; i < 4; ++i) {
    double aa = 0, ab = 0, bb = 0, ax = 0, bx = 0;
    for (unsigned t = 0; t < texels_.size(); ++t) {
      if (division_->partition_of[t] != partition) {
        continue;
      }
      const double b = weights[division_->plane_of(i)][t] / 64.0, a = 1 - b;
      const double x = texels_[t][i];
      aa += a * a;
      ab += a * b;
      bb += b * b;
      ax += a * x;
      bx += b * x;
    }
    const double determinant = aa * bb - ab * ab;
    if (determinant < 1e-9) {  // all weights are equal: the mean
      segment.low[i] = segment.high[i] = (ax + bx) / (aa + 2 * ab + bb);
    } else {
      segment.low[i] = std::clamp((ax * bb - bx * ab) / determinant, 0.0, 255.0);
      segment.high[i] = std::clamp((bx * aa - ax * ab) / determinant, 0.0, 255.0);
    }
  }
  return segment;
}

Color Fitter::scaled_color(unsigned partition, const TexelWeights& weights, double factor) const {
  Color color{};
  for (unsigned i = 0; i < 3; ++i) {
    double square = 0, product = 0;
    for (unsigned t = 0; t < texels_.size(); ++t) {
      if (division_->partition_of[t] == partition) {
        const double b = weights[division_->plane_of(i)][t] / 64.0;
        const double share = factor * (1 - b) + b;
        square += share * share;
        product += share * texels_[t][i];
      }
    }
    color[i] = square > 0 ? product / square : 0;
  }
  return color;
}

std::pair<StoredColors, uint32_t> Fitter::best_rounding(unsigned partition, const Segment& segment,
                                                        std::span<const EndpointMode> modes,
                                                        IntegerRange range,
                                                        const TexelWeights& weights) const {
  std::pair<StoredColors, uint32_t> best = {{}, UINT32_MAX};
  for (const EndpointMode mode : modes) {
    round_segment(
        segment, mode, range,
        [&](double factor) { return scaled_color(partition, weights, factor); },
        [&](const StoredColors& colors) {
          const uint32_t error = partition_error(partition, colors.pair, weights, best.second);
          if (error < best.second) {
            best = {colors, error};
          }
        });
  }
  return best;
}

// False where the segments are too long for offsets.
bool Fitter::choose_colors(const ColorPlan& plan, const TexelWeights& weights,
                           PartitionColors& colors) const {
  std::array<std::pair<StoredColors, uint32_t>, 4> large;
  std::array<std::pair<int64_t, unsigned>, 4> gains;  // of more values
  const unsigned partitions = division_->partitions;
  for (unsigned p = 0; p < partitions; ++p) {
    const Segment segment = least_squares(p, weights);
    const auto modes = plan.separate ? small_modes(content_) : std::span(&plan.mode, 1);
    const auto small = best_rounding(p, segment, modes, plan.range, weights);
    if (small.second == UINT32_MAX) {
      return false;
    }
    colors[p] = small.first;
    gains[p] = {0, p};
    if (plan.separate && plan.large > 0) {
      large[p] = best_rounding(p, segment, large_modes(content_), plan.range, weights);
      gains[p].first = int64_t{small.second} - large[p].second;
    }
  }
  for (unsigned i = 0; i < plan.large; ++i) {
    const auto most = std::max_element(gains.begin(), gains.begin() + partitions);
    colors[most->second] = large[most->second].first;
    most->first = INT64_MIN;
  }
  return true;
}

Fit Fitter::fit(const BlockMode& mode, const Grid& grid, const ColorPlan& plan,
                double hopeless) const {
  SymbolicBlock block;
  block.kind = BlockKind::kWeighted;
  block.mode = mode;
  block.partition_count = static_cast<uint8_t>(division_->partitions);
  block.partition_seed = division_->seed;
  block.separate_modes = plan.separate;
  block.plane2_channel = static_cast<uint8_t>(mode.dual_plane ? division_->plane2 : 0);
  block.color_range = plan.range;
  const bool scaled = plan.separate ? plan.large == 0 : plan.mode == small_modes(content_)[0];
  const Start& start = scaled ? lines_through_black_ : lines_;
  Fit best;
  fit_from(start.outer, grid, plan, hopeless, block, best);
  // With few levels, which of them a texel gets at first is not easily undone.
  if (mode.weight_range <= kFewLevels) {
    fit_from(start.inner, grid, plan, hopeless, block, best);
  }
  return best;
}

void Fitter::fit_from(const std::array<Segment, 4>& start, const Grid& grid, const ColorPlan& plan,
                      double hopeless, SymbolicBlock block, Fit& best) const {
  TexelWeights weights;
  choose_weights(start, grid, block, weights);
  uint32_t before = UINT32_MAX;
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    PartitionColors colors;
    if (!choose_colors(plan, weights, colors)) {
      return;
    }
    store(colors, division_->partitions, block);
    choose_weights(segments_of(colors, division_->partitions), grid, block, weights);
    const uint32_t error = block_error(colors, weights);
    if (error < best.error) {
      best = {error, block};
    }
    if (error >= before || error > hopeless) {
      return;
    }
    before = error;
  }
}

}  // namespace tessera::astc::oracle
