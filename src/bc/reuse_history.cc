// Keeps what earlier blocks offer, and finds the best of it for another one.
#include "bc/reuse_history.h"

#include <algorithm>
#include <limits>

#include "bc/bc1_rounding.h"

namespace tessera::bc1 {
namespace {

// Thirds of the second end that the four selectors stand for.
constexpr std::array<uint32_t, 4> kThirds = {0, 3, 1, 2};

// Blocks of three colours are no offer of ends.
constexpr float kNever = 1e9F;

constexpr float kTwoThirds = 2.0F / 3;

size_t index_of(int32_t cost) {
  return static_cast<size_t>(cost) & ((size_t{1} << kCostIndexBits) - 1);
}

struct Shares {
  float a = 0, b = 0, c = 0;
};

Shares shares_of(uint32_t selectors) {
  uint32_t a = 0, b = 0, c = 0;
  for (unsigned i = 0; i < kBlockTexels; ++i) {
    const uint32_t second = kThirds[(selectors >> (2 * i)) & 3], first = 3 - second;
    a += second * second;
    b += second * first;
    c += first * first;
  }
  return {static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)};
}

// a, b and c over the determinant. Where all selectors are equal, one end or the other is the mean.
Shares inverse_of(const Shares& shares) {
  const float determinant = shares.a * shares.c - shares.b * shares.b;
  if (determinant > 0.5F) {
    return {shares.a / determinant, shares.b / determinant, shares.c / determinant};
  }
  return shares.c >= shares.a ? Shares{1 / shares.c, 0, 0} : Shares{0, 0, 1 / shares.a};
}

std::array<float, 3> channels_of(uint64_t packed) {
  return {static_cast<float>(packed & 0xffff), static_cast<float>((packed >> 16) & 0xffff),
          static_cast<float>(packed >> 32)};
}

}  // namespace

void BlockTexels::load(const ImageView& image, uint32_t slice, uint32_t block_x, uint32_t block_y,
                       const Settings& settings) {
  must_stay = false;
  squares = 0;
  sums = {};
  for (unsigned c = 0; c < 3; ++c) {
    weights[c] = static_cast<float>(settings.weights[c]);
  }
  std::array<std::array<uint64_t, 4>, kBlockTexels> parts;
  for (uint32_t i = 0; i < kBlockTexels; ++i) {
    const uint32_t x = std::min(block_x * kBlockSide + i % kBlockSide, image.info.width - 1);
    const uint32_t y = std::min(block_y * kBlockSide + i / kBlockSide, image.info.height - 1);
    const uint8_t* const texel = image.row<uint8_t>(y, slice) + size_t{x} * kTexelBytes;
    must_stay |= settings.punch_through && texel[3] < settings.alpha_threshold;
    uint64_t packed = 0;
    for (unsigned c = 0; c < 3; ++c) {
      colors[i][c] = texel[c];
      sums[c] += static_cast<float>(texel[c]);
      squares += weights[c] * static_cast<float>(texel[c] * texel[c]);
      packed |= uint64_t{texel[c]} << (16 * c);
    }
    for (unsigned selector = 0; selector < 4; ++selector) {
      parts[i][selector] = packed * kThirds[selector];
    }
  }
  for (unsigned row = 0; row < kBlockSide; ++row) {
    const auto* const texel = &parts[size_t{row} * kBlockSide];
    std::array<uint64_t, 16> left;
    for (unsigned i = 0; i < 16; ++i) {
      left[i] = texel[0][i & 3] + texel[1][i >> 2];
    }
    for (unsigned i = 0; i < 16; ++i) {
      const uint64_t right = texel[2][i & 3] + texel[3][i >> 2];
      uint64_t* const sums_of_rows = &row_sums[row][size_t{i} * 16];
      for (unsigned k = 0; k < 16; ++k) {
        sums_of_rows[k] = left[k] + right;
      }
    }
  }
}

float BlockTexels::error(const Block& block, const Settings& settings) const {
  const std::array<Rgba8, 4> colors_of = palette(block, settings.rounding);
  std::array<int, 3> error = {};
  for (unsigned i = 0; i < kBlockTexels; ++i) {
    const Rgba8& color = colors_of[(block.selectors >> (2 * i)) & 3];
    const std::array<int, 3> difference = {colors[i][0] - color.r, colors[i][1] - color.g,
                                           colors[i][2] - color.b};
    for (unsigned c = 0; c < 3; ++c) {
      error[c] += difference[c] * difference[c];
    }
  }
  return weights[0] * static_cast<float>(error[0]) + weights[1] * static_cast<float>(error[1]) +
         weights[2] * static_cast<float>(error[2]);
}

SelectorSums::SelectorSums(const BlockTexels& texels, uint32_t selectors)
    : second(channels_of(texels.sums_for(selectors))) {
  const Shares shares = shares_of(selectors);
  a = shares.a;
  b = shares.b;
  c = shares.c;
  for (unsigned channel = 0; channel < 3; ++channel) {
    first[channel] = 3 * texels.sums[channel] - second[channel];
  }
}

void SelectorSums::solve(std::array<float, 3> (&ends)[2]) const {
  const Shares inverse = inverse_of({a, b, c});
  for (unsigned channel = 0; channel < 3; ++channel) {
    ends[0][channel] = 3 * (inverse.a * first[channel] - inverse.b * second[channel]);
    ends[1][channel] = 3 * (inverse.c * second[channel] - inverse.b * first[channel]);
  }
}

ReuseCosts::ReuseCosts(const RateModel& model) {
  for (size_t distance = 1; distance <= kWindow; ++distance) {
    selectors_[kWindow - distance] = ends_[kWindow - distance] = model.new_matches()[distance];
  }
}

void ReuseCosts::prepare(const RateModel& model) {
  for (const uint32_t distance : model.latest()) {
    if (distance > 0) {
      selectors_[kWindow - distance] = ends_[kWindow - distance] = RateModel::kRepeatedMatch;
    }
  }
  if (model.running() > 0) {
    ends_[kWindow - model.running()] = RateModel::kContinued;
  }
}

void ReuseCosts::restore(const RateModel& model) {
  for (const uint32_t distance : model.latest()) {
    if (distance > 0) {
      selectors_[kWindow - distance] = ends_[kWindow - distance] = model.new_matches()[distance];
    }
  }
  if (model.running() > 0) {
    ends_[kWindow - model.running()] = model.new_matches()[model.running()];
  }
}

ReuseHistory::ReuseHistory(const Settings& settings, size_t most) : settings_(settings) {
  // The sum of the weights is 3 where none are given.
  const uint32_t weights = settings.weights[0] + settings.weights[1] + settings.weights[2];
  scale_ = 2.0F * 3 / static_cast<float>(std::max(3U, weights));
  selectors_.resize(most);
  ends_.resize(most);
  for (std::vector<float>* list :
       {&a_, &b_, &c_, &product00_, &product01_, &product11_, &whole_, &end0_[0], &end0_[1],
        &end0_[2], &end1_[0], &end1_[1], &end1_[2]}) {
    list->resize(most);
  }
}

void ReuseHistory::add(const Block& block) {
  const size_t at = size_++;
  selectors_[at] = block.selectors;
  ends_[at] = block.color0 | (uint32_t{block.color1} << 16);
  const Shares shares = shares_of(block.selectors);
  const Shares inverse = inverse_of(shares);
  a_[at] = inverse.a;
  b_[at] = inverse.b;
  c_[at] = inverse.c;
  const std::array<Rgba8, 4> colors = palette(block, settings_.rounding);
  const std::array<float, 3> end0 = {float(colors[0].r), float(colors[0].g), float(colors[0].b)};
  const std::array<float, 3> end1 = {float(colors[1].r), float(colors[1].g), float(colors[1].b)};
  float product00 = 0, product01 = 0, product11 = 0;
  for (unsigned c = 0; c < 3; ++c) {
    const auto weight = static_cast<float>(settings_.weights[c]);
    end0_[c][at] = end0[c];
    end1_[c][at] = end1[c];
    product00 += weight * end0[c] * end0[c];
    product01 += weight * end0[c] * end1[c];
    product11 += weight * end1[c] * end1[c];
  }
  const bool is_offer = has_four_colors(block);
  product00_[at] = is_offer ? product00 : kNever;
  product01_[at] = product01;
  product11_[at] = product11;
  whole_[at] = is_offer
                   ? (shares.c * product00 + 2 * shares.b * product01 + shares.a * product11) / 9
                   : kNever;
}

unsigned ReuseHistory::best_selectors(const BlockTexels& texels, float lambda,
                                      const ReuseCosts& costs, std::span<size_t> found,
                                      size_t& whole) {
  const size_t begin = first(), count = size_ - begin;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t packed = texels.sums_for(selectors_[begin + i]);
    second_[0][i] = static_cast<float>(static_cast<int32_t>(packed & 0xffff));
    second_[1][i] = static_cast<float>(static_cast<int32_t>((packed >> 16) & 0xffff));
    second_[2][i] = static_cast<float>(static_cast<int32_t>(packed >> 32));
  }
  WholeCosts blocks = {ends_from(begin),
                       second_[0].data(),
                       second_[1].data(),
                       second_[2].data(),
                       &whole_[begin],
                       costs.ends(count),
                       {},
                       {},
                       texels.squares,
                       lambda,
                       scale_};
  SelectorCosts fits = {
      {&a_[begin], &b_[begin], &c_[begin], second_[0].data(), second_[1].data(), second_[2].data()},
      costs.selectors(count),
      {},
      {},
      texels.squares,
      lambda,
      scale_};
  for (unsigned c = 0; c < 3; ++c) {
    blocks.total[c] = fits.total[c] = 3 * texels.sums[c];
    fits.weight[c] = texels.weights[c];
    blocks.weight[c] = texels.weights[c] * kTwoThirds;
  }
  cost_whole(blocks, count, costs_.data());
  whole = begin + index_of(least_cost(costs_.data(), count));
  cost_selectors(fits, count, costs_.data());
  return keep_best(begin, count, found);
}

// The best few, each selectors once.
unsigned ReuseHistory::keep_best(size_t begin, size_t count, std::span<size_t> found) const {
  unsigned kept = 0;
  std::array<int32_t, kMostFound> kept_cost;
  int32_t limit = std::numeric_limits<int32_t>::max();
  for (size_t i = 0; i < count; ++i) {
    const int32_t cost = costs_[i];
    if (cost >= limit) {
      continue;
    }
    unsigned place = 0;
    while (place < kept && selectors_[found[place]] != selectors_[begin + i]) {
      ++place;
    }
    if (place < kept && kept_cost[place] <= cost) {
      continue;
    }
    if (place == kept) {
      place = kept < found.size() ? kept++ : kept - 1;
    }
    for (; place > 0 && kept_cost[place - 1] > cost; --place) {
      kept_cost[place] = kept_cost[place - 1];
      found[place] = found[place - 1];
    }
    kept_cost[place] = cost;
    found[place] = begin + i;
    limit = kept == found.size() ? kept_cost[kept - 1] : limit;
  }
  return kept;
}

size_t ReuseHistory::best_ends(const BlockTexels& texels, const SelectorSums& sums, float lambda,
                               const ReuseCosts& costs) {
  const size_t begin = first(), count = size_ - begin;
  EndCosts ends = {ends_from(begin),
                   &product00_[begin],
                   &product01_[begin],
                   &product11_[begin],
                   costs.ends(count),
                   {},
                   {},
                   sums.a / 9,
                   2 * sums.b / 9,
                   sums.c / 9,
                   texels.squares,
                   lambda,
                   scale_};
  for (unsigned c = 0; c < 3; ++c) {
    ends.first[c] = sums.first[c] * texels.weights[c] * kTwoThirds;
    ends.second[c] = sums.second[c] * texels.weights[c] * kTwoThirds;
  }
  cost_ends(ends, count, costs_.data());
  return begin + index_of(least_cost(costs_.data(), count));
}

}  // namespace tessera::bc1
