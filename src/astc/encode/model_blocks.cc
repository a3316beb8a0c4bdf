// Model blocks and the greedy choice of candidates for them.
#include "astc/encode/model_blocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera::astc {
namespace {

// In 8-bit steps.
constexpr std::array<float, kModelLengths> kLengths = {12.0F, 24.0F, 48.0F, 96.0F, 192.0F};

// How the energy of a block's detail falls with the frequency: as 1 / (1/4 + (x·u)² + (y·v)²) in
// photographs, not at all in text, which is the last one.
struct Shape {
  float x;
  float y;
};
constexpr std::array<Shape, kModelShapes> kShapes = {{{1.0F, 1.0F},
                                                      {1.0F, 1.5F},
                                                      {1.5F, 1.0F},
                                                      {1.0F, 2.0F},
                                                      {2.0F, 1.0F},
                                                      {1.0F, 3.0F},
                                                      {3.0F, 1.0F},
                                                      {0.0F, 0.0F}}};

float model_energy(const Shape& shape, unsigned u, unsigned v) {
  const float a = shape.x * static_cast<float>(u), b = shape.y * static_cast<float>(v);
  return 1.0F / (0.25F + a * a + b * b);
}

// By how much the errors would fall together.
float gain_of(const PerModelBlock& now, const PerModelBlock& errors) {
  std::array<float, 8> sums = {};  // apart, so that they are summed at the same time
  static_assert(kModelBlocks % 8 == 0);
  for (size_t i = 0; i < kModelBlocks; i += sums.size()) {
    for (size_t k = 0; k < sums.size(); ++k) {
      sums[k] += std::max(now[i + k] - errors[i + k], 0.0F);
    }
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0F);
}

constexpr PerModelBlock kLengthOfBlock = [] {
  PerModelBlock lengths{};
  for (size_t i = 0; i < kModelBlocks; ++i) {
    lengths[i] = kLengths[i / kModelShapes];
  }
  return lengths;
}();

// What the error of rounded weights counts by. Text has two colours, which need no weights between
// 0 and 1.
constexpr PerModelBlock kRoundingOfBlock = [] {
  PerModelBlock scales{};
  for (size_t i = 0; i < kModelBlocks; ++i) {
    const bool is_text = i % kModelShapes == kModelShapes - 1;
    scales[i] = is_text ? 0.0F : kLengthOfBlock[i] * kLengthOfBlock[i];
  }
  return scales;
}();

}  // namespace

ModelBlocks::ModelBlocks(BlockSize size) : size_(size) {
  for (size_t shape = 0; shape < kModelShapes; ++shape) {
    energy_[shape].resize(size.texel_count());
    for (unsigned v = 0; v < size.height; ++v) {
      for (unsigned u = v == 0 ? 1 : 0; u < size.width; ++u) {
        const float energy = model_energy(kShapes[shape], u, v);
        energy_[shape][v * size.width + u] = energy;
        all_energy_[shape] += energy;
      }
    }
  }
}

ModelLosses ModelBlocks::losses(GridSize grid) const {
  ModelLosses result;
  for (size_t shape = 0; shape < kModelShapes; ++shape) {
    float kept = 0;
    for (unsigned v = 0; v < grid.y; ++v) {
      for (unsigned u = 0; u < grid.x; ++u) {
        kept += energy_[shape][v * size_.width + u];
      }
    }
    for (size_t i = 0; i < kModelLengths; ++i) {
      const float variance =
          kLengths[i] * kLengths[i] / 12.0F;  // of positions spread evenly over the line
      result[i * kModelShapes + shape] =
          variance * (all_energy_[shape] - kept) / all_energy_[shape];
    }
  }
  return result;
}

CandidatePicker::CandidatePicker(std::vector<Candidate> all,
                                 std::span<const ModelLosses* const> losses, unsigned channels)
    : all_(std::move(all)), errors_(all_.size()) {
  PerModelBlock best;
  best.fill(1e30F);
  // Mean square errors of a channel sum, by the same reckoning as the ranking of real blocks.
  for (size_t c = 0; c < all_.size(); ++c) {
    const float of_colors = static_cast<float>(channels) * (all_[c].color_error + 1.0F / 12.0F);
    for (size_t i = 0; i < kModelBlocks; ++i) {
      errors_[c][i] = (*losses[c])[i] + kRoundingOfBlock[i] * all_[c].weight_error + of_colors;
      best[i] = std::min(best[i], errors_[c][i]);
    }
  }
  PerModelBlock scale;  // errors count by the block's contrast
  for (size_t i = 0; i < kModelBlocks; ++i) {
    scale[i] = kLengthOfBlock[i] / best[i];
  }
  now_.fill(1e6F);
  std::vector<Known> known(all_.size());
  for (size_t c = 0; c < all_.size(); ++c) {
    for (size_t i = 0; i < kModelBlocks; ++i) {
      errors_[c][i] *= scale[i];
    }
    known[c] = {gain_of(now_, errors_[c]), c, 0};
  }
  queue_ = std::priority_queue<Known>(std::less<Known>(), std::move(known));
}

// What a candidate gains falls with every pick, so only those are reckoned again whose last known
// gain is the highest.
const std::vector<Candidate>& CandidatePicker::pick(size_t count) {
  while (picked_.size() < count && !queue_.empty()) {
    const Known top = queue_.top();
    queue_.pop();
    if (top.picks < picked_.size()) {
      queue_.push({gain_of(now_, errors_[top.candidate]), top.candidate, picked_.size()});
      continue;
    }
    picked_.push_back(all_[top.candidate]);
    if (top.gain == 0) {
      pick_useless();
      continue;
    }
    for (size_t i = 0; i < kModelBlocks; ++i) {
      now_[i] = std::min(now_[i], errors_[top.candidate][i]);
    }
  }
  return picked_;
}

void CandidatePicker::pick_useless() {
  std::vector<size_t> rest;
  for (; !queue_.empty(); queue_.pop()) {
    rest.push_back(queue_.top().candidate);
  }
  std::sort(rest.begin(), rest.end());
  for (const size_t candidate : rest) {
    picked_.push_back(all_[candidate]);
  }
}

}  // namespace tessera::astc
