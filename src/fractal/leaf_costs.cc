// Computes distortion and bits of each kind of leaf.
#include "fractal/leaf_costs.h"

#include <cmath>

namespace tessera::fractal {
namespace {

struct BlockStatistics {
  double mean = 0;       // pixel steps
  double deviation = 0;  // Σ (b − mean)²
};

BlockStatistics statistics(const Plane<uint8_t>& image, uint32_t x, uint32_t y, uint32_t side) {
  int32_t sum = 0;
  int32_t squares = 0;  // at most 1024·255²
  for (uint32_t j = 0; j < side; ++j) {
    const uint8_t* row = image.row(y + j) + x;
    for (uint32_t i = 0; i < side; ++i) {
      sum += row[i];
      squares += row[i] * row[i];
    }
  }
  const double count = static_cast<double>(side) * side;
  const double mean = sum / count;
  return {mean, squares - sum * mean};
}

// Low-frequency orthonormal DCT coefficients, in pixel steps, in scan order without the mean.
void forward_dct(const Plane<uint8_t>& image, uint32_t x, uint32_t y, uint32_t log2_side,
                 double* coefficients) {
  const uint32_t side = 1u << log2_side;
  const uint32_t kept = dct_side(log2_side);
  const dct_detail::Basis& basis = dct_basis(log2_side);
  int32_t lines[kRootSide][kMaxDctSide];
  for (uint32_t j = 0; j < side; ++j) {
    const uint8_t* row = image.row(y + j) + x;
    for (uint32_t k = 0; k < kept; ++k) {
      int32_t sum = 0;
      for (uint32_t i = 0; i < side; ++i) {
        sum += basis[k][i] * row[i];
      }
      lines[j][k] = sum;
    }
  }
  double all[kMaxDctSide][kMaxDctSide];
  for (uint32_t l = 0; l < kept; ++l) {
    for (uint32_t k = 0; k < kept; ++k) {
      int64_t sum = 0;
      for (uint32_t j = 0; j < side; ++j) {
        sum += int64_t{basis[l][j]} * lines[j][k];
      }
      all[l][k] = static_cast<double>(sum) / (1 << kBasisBits) / (1 << kBasisBits);
    }
  }
  const ScanOrder& scan = scan_order(log2_side);
  for (uint32_t i = 0; i < max_levels(log2_side); ++i) {
    coefficients[i] = all[scan.row[i + 1]][scan.column[i + 1]];
  }
}

uint32_t level_band(uint32_t i) {
  return i < 8 ? i : 8 + std::min((i - 8) / 6, 7u);
}

// Bits of coding `count` levels.
double levels_bits(const PassContext& pass, uint32_t size, uint32_t count, int16_t* levels) {
  CostCoder coder(pass.rates);
  auto coded = static_cast<uint16_t>(count);
  code_levels(coder, pass.rates.model(), size, coded, levels);
  return coder.bits();
}

// Sets single ones to zero where they are not worth their bits.
void drop_weak_levels(const PassContext& pass, uint32_t size, double step, const double* values,
                      uint32_t count, int16_t* levels) {
  LevelModel& states = pass.rates.model().levels[size];
  for (uint32_t i = 0; i < count; ++i) {
    if (levels[i] != 1 && levels[i] != -1) {
      continue;
    }
    const double gain = 2 * step * std::abs(values[i]) - step * step;
    const uint32_t band = level_band(i);
    CostCoder with(pass.rates);
    CostCoder without(pass.rates);
    bool yes = true;
    bool no = false;
    with.bit(states.significant[band][1], yes);
    with.bit(states.above_one[band], no);
    without.bit(states.significant[band][1], no);
    if (gain < pass.lambda * (with.bits() + 1 - without.bits())) {
      levels[i] = 0;
    }
  }
}

// Levels of a block and what they save: quantised with a dead zone, weak ones dropped, the end cut
// where that costs least.
struct DctFit {
  uint32_t count = 0;
  double saved = 0;  // distortion less than that of the mean alone
  double bits = 0;
};

DctFit fit_dct(const PassContext& pass, uint32_t x, uint32_t y, uint32_t log2_side,
               int16_t* levels) {
  constexpr double kRounding = 0.4;
  double values[64];
  forward_dct(pass.task->image, x, y, log2_side, values);
  const uint32_t size = log2_side - kMinLog2Side;
  const double step = static_cast<double>(pass.shape.dct_step) / kSampleUnit;
  const uint32_t limit = max_levels(log2_side);
  for (uint32_t i = 0; i < limit; ++i) {
    const int magnitude = static_cast<int>(std::abs(values[i]) / step + kRounding);
    levels[i] = static_cast<int16_t>(values[i] < 0 ? -magnitude : magnitude);
  }
  drop_weak_levels(pass, size, step, values, limit, levels);
  double saved[65] = {};
  for (uint32_t i = 0; i < limit; ++i) {
    const double rest = values[i] - levels[i] * step;
    saved[i + 1] = saved[i] + values[i] * values[i] - rest * rest;
  }
  DctFit best;
  double best_cost = 0;
  uint32_t tries = 0;
  for (uint32_t count = limit; count > 0 && tries < 6; --count) {
    if (levels[count - 1] == 0) {
      continue;
    }
    ++tries;
    const double bits = levels_bits(pass, size, count, levels);
    const double cost = pass.lambda * bits - saved[count];
    if (best.count == 0 || cost < best_cost) {
      best = {count, saved[count], bits};
      best_cost = cost;
    }
  }
  return best;
}

double domain_bits(const PassContext& pass, Leaf leaf) {
  const uint32_t side = leaf.side();
  const DomainField field =
      domain_field(pass.shape.padded_width() / 2, pass.shape.padded_height() / 2, side);
  CostCoder coder(pass.rates);
  code_domain(coder, pass.rates.model(), leaf.log2_side - kMinLog2Side, field, leaf);
  return coder.bits();
}

struct KindBits {
  double flat = 0;
  double fractal = 0;
  double dct = 0;
};

KindBits kind_bits(const PassContext& pass, uint32_t log2_side) {
  const uint32_t size = log2_side - kMinLog2Side;
  const auto bits = [&](AdaptiveBit& state, bool value) {
    CostCoder coder(pass.rates);
    coder.bit(state, value);
    return coder.bits();
  };
  PlaneModel& model = pass.rates.model();
  const double detail = bits(model.detail[size][1], true);
  if (!pass.shape.hybrid) {
    return {bits(model.detail[size][1], false), detail, 0};
  }
  return {bits(model.detail[size][1], false), detail + bits(model.dct[size][1], false),
          detail + bits(model.dct[size][1], true)};
}

double mean_bits(const PassContext& pass, const Leaf& leaf) {
  const auto context = pass.means.predict(leaf.x, leaf.y, leaf.side());
  const int32_t step = mean_step(pass.shape.dct_step, leaf.log2_side);
  int32_t difference = quantise_mean(context, step, leaf.mean);
  CostCoder coder(pass.rates);
  code_signed(
      coder,
      pass.rates.model().mean[leaf.log2_side - kMinLog2Side][spread_class(context.spread, step)],
      difference);
  return coder.bits();
}

// Part of the domain's decoding error that reaches the block; the rest is not correlated with it.
constexpr double kErrorShare = 0.5;

// Offers a domain with scales around the best.
void offer_domain(const PassContext& pass, const DomainCandidate& candidate, double deviation,
                  double base_cost, LeafChoiceResult& best) {
  if (candidate.covariance == 0 || candidate.variance <= 0) {
    return;
  }
  Leaf leaf = best.leaf;
  leaf.kind = LeafKind::kFractal;
  leaf.isometry = candidate.isometry;
  leaf.domain_x = candidate.x;
  leaf.domain_y = candidate.y;
  const double error = pass.domain_error(candidate.x, candidate.y, leaf.side()) * kErrorShare;
  const double covariance = candidate.covariance;
  const double variance = candidate.variance + error;
  leaf.scale = static_cast<int8_t>(best_scale(covariance, variance));
  const double s = static_cast<double>(leaf.scale) / kScaleUnit;
  const double distortion = std::max(deviation - 2 * s * covariance + s * s * variance, 0.0);
  // A bound first: the position alone costs more than nothing.
  if (distortion + base_cost >= best.cost) {
    return;
  }
  const double cost = distortion + base_cost + pass.lambda * domain_bits(pass, leaf);
  if (cost < best.cost) {
    best.leaf = leaf;
    best.levels.clear();
    best.cost = cost;
  }
}

}  // namespace

double PassContext::domain_error(uint32_t x, uint32_t y, uint32_t side) const {
  if (error_area.empty()) {
    return 0;
  }
  const size_t stride = size_t{task->half.width} + 1;
  const double* upper = error_area.data() + y * stride + x;
  const double* lower = upper + side * stride;
  return std::max(lower[side] - lower[0] - upper[side] + upper[0], 0.0);
}

int best_scale(double covariance, double variance) {
  constexpr int kStepsToOne = kScaleUnit / kScaleStep;
  const double steps = std::abs(covariance) / variance * kStepsToOne + 0.5;
  // A domain of one colour, and what a rank sends that cannot be trusted, may make it NaN.
  const int whole = steps > 1 ? std::min(static_cast<int>(std::min(steps, 100.0)), kScaleSteps) : 1;
  return covariance < 0 ? -whole * kScaleStep : whole * kScaleStep;
}

double split_bits(const PassContext& pass, uint32_t log2_side, bool split) {
  CostCoder coder(pass.rates);
  coder.bit(pass.rates.model().split[log2_side - kMinLog2Side][1], split);
  return coder.bits();
}

LeafChoiceResult choose_leaf(const PassContext& pass, uint32_t x, uint32_t y, uint32_t log2_side) {
  const PlaneTask& task = *pass.task;
  const uint32_t side = 1u << log2_side;
  const uint32_t size = log2_side - kMinLog2Side;
  const BlockStatistics block = statistics(task.image, x, y, side);
  LeafChoiceResult best;
  best.leaf.x = static_cast<uint16_t>(x);
  best.leaf.y = static_cast<uint16_t>(y);
  best.leaf.log2_side = static_cast<uint8_t>(log2_side);
  best.leaf.mean = static_cast<int16_t>(block.mean * kSampleUnit + 0.5);
  const double step = static_cast<double>(mean_step(pass.shape.dct_step, log2_side)) / kSampleUnit;
  const KindBits kinds = kind_bits(pass, log2_side);
  // Every kind pays for the mean: its bits, and its rounding.
  const double shared = pass.lambda * mean_bits(pass, best.leaf) + side * side * step * step / 12;
  const Leaf flat = best.leaf;
  best.cost = block.deviation + shared + pass.lambda * kinds.flat;
  if (pass.choice != LeafChoice::kPure) {
    int16_t levels[64];
    const DctFit fit = fit_dct(pass, x, y, log2_side, levels);
    const double cost = block.deviation - fit.saved + shared + pass.lambda * (kinds.dct + fit.bits);
    if (fit.count > 0 && cost < best.cost) {
      best.cost = cost;
      best.leaf.kind = LeafKind::kDct;
      best.leaf.level_count = static_cast<uint16_t>(fit.count);
      best.levels.assign(levels, levels + fit.count);
    }
  }
  if (pass.choice != LeafChoice::kDctOnly) {
    LeafChoiceResult fractal;
    fractal.leaf = flat;
    fractal.cost = best.cost;
    const size_t across = task.image.width >> log2_side;
    const BlockCandidates& candidates =
        task.candidates[size][(y >> log2_side) * across + (x >> log2_side)];
    for (const DomainCandidate& candidate : candidates) {
      offer_domain(pass, candidate, block.deviation, shared + pass.lambda * kinds.fractal, fractal);
    }
    if (fractal.cost < best.cost) {
      best = std::move(fractal);
    }
  }
  return best;
}

}  // namespace tessera::fractal
