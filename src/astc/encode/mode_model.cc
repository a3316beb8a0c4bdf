// The model: along each axis, positions of texels on their line are correlated from neighbour to
// neighbour. A coarse grid keeps of each frequency what kept_shares() tells; rounding of weights
// and colours costs what the encoder's own estimates say. Blocks of many kinds, smooth and rough,
// with short and long lines, rank all modes, and each gives most votes to its first ones.
#include "astc/encode/mode_model.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "astc/encode/cosine_rows.h"
#include "astc/encode/weight_grid.h"

namespace tessera::astc {
namespace {

constexpr std::array<float, 4> kCorrelations = {0.5F, 0.8F, 0.93F, 0.98F};
constexpr std::array<float, 4> kLengths = {12, 36, 90,
                                           200};  // of lines, 255 is from black to white
// Evenly spread positions have a variance of length² / 12.
constexpr float kLengthPerDeviation = 12;
// The lead of the first modes of a ranking over the next ones.
constexpr float kVotesFade = 4;

// Of positions along one axis: the energy that grids of 1, 2, … points keep, and that of the mean.
struct AxisEnergies {
  std::vector<float> kept;
  float mean = 0;
};

AxisEnergies axis_energies(unsigned edge, float correlation) {
  const std::vector<float> cosines = cosine_rows(edge);
  const std::vector<float> shares = kept_shares(edge, cosines);
  std::vector<float> powers = {1};
  while (powers.size() < edge) {
    powers.push_back(powers.back() * correlation);
  }
  AxisEnergies energies;
  energies.kept.assign(edge, 0.0F);
  for (unsigned frequency = 0; frequency < edge; ++frequency) {
    const auto row = std::span(cosines).subspan(size_t{frequency} * edge, edge);
    float energy = 0;
    for (unsigned i = 0; i < edge; ++i) {
      for (unsigned k = 0; k < edge; ++k) {
        energy += row[i] * row[k] * powers[i > k ? i - k : k - i];
      }
    }
    energies.mean = frequency == 0 ? energy : energies.mean;
    for (unsigned points = 1; points <= edge; ++points) {
      energies.kept[points - 1] += energy * shares[(points - 1u) * edge + frequency];
    }
  }
  return energies;
}

// Of the variance of positions, the part that each mode's grid loses.
std::vector<float> lost_shares(BlockSize size, std::span<const ModeErrors> modes,
                               float correlation) {
  const AxisEnergies x = axis_energies(size.width, correlation);
  const AxisEnergies y = axis_energies(size.height, correlation);
  const AxisEnergies z = axis_energies(size.depth, correlation);
  const auto all = static_cast<float>(size.texel_count());
  const float variance = all - x.mean * y.mean * z.mean;
  std::vector<float> lost;
  lost.reserve(modes.size());
  for (const ModeErrors& mode : modes) {
    const float kept =
        x.kept[mode.grid.x - 1u] * y.kept[mode.grid.y - 1u] * z.kept[mode.grid.z - 1u];
    lost.push_back(std::max(all - kept, 0.0F) / variance);
  }
  return lost;
}

}  // namespace

std::vector<size_t> modes_by_model(BlockSize size, std::span<const ModeErrors> modes,
                                   unsigned channels) {
  std::vector<float> votes(modes.size(), 0.0F), errors(modes.size());
  std::vector<size_t> order(modes.size());
  for (const float correlation : kCorrelations) {
    const std::vector<float> lost = lost_shares(size, modes, correlation);
    for (const float length : kLengths) {
      for (size_t i = 0; i < modes.size(); ++i) {
        errors[i] = length * length * (lost[i] / kLengthPerDeviation + modes[i].weight_error) +
                    static_cast<float>(channels) * modes[i].color_error;
      }
      std::iota(order.begin(), order.end(), size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](size_t a, size_t b) { return errors[a] < errors[b]; });
      for (size_t place = 0; place < order.size(); ++place) {
        votes[order[place]] += 1 / (kVotesFade + static_cast<float>(place));
      }
    }
  }
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return votes[a] > votes[b]; });
  return order;
}

}  // namespace tessera::astc
