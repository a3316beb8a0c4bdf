// Fits weights and endpoints of one division, block mode and plan of colours to a block, and
// improves a fit by single steps. Errors are those of the decoder's integers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "astc/format/block_mode.h"
#include "astc/format/quantization.h"
#include "astc/format/symbolic_block.h"
#include "oracle.h"
#include "oracle_colors.h"
#include "oracle_lines.h"

namespace tessera::astc::oracle {

struct Fit {
  uint32_t error = UINT32_MAX;
  SymbolicBlock block;
};

// A weight grid on the block: which texels a weight reaches, and the other way round.
struct Grid {
  struct Reach {
    unsigned texel;
    int factor;  // sixteenths
  };
  std::vector<std::vector<Reach>> reaches;                  // of each weight
  std::vector<std::vector<std::pair<unsigned, int>>> taps;  // of each texel: weight, factor
};

Grid make_grid(BlockSize size, GridSize grid);

// The weight of a texel, 0…64, from the codes of the weights around it.
int texel_weight(const std::vector<std::pair<unsigned, int>>& taps, std::span<const uint8_t> codes,
                 unsigned planes, unsigned plane, const WeightTable& table);

// The lines between the stored colours of each partition.
std::array<Segment, 4> segments_of(const std::array<StoredColors, 4>& colors, unsigned partitions);

// Puts the colours of all partitions into the block.
void store(const std::array<StoredColors, 4>& colors, unsigned partitions, SymbolicBlock& block);

class Fitter {
 public:
  Fitter(std::span<const Rgba> texels, BlockSize size);

  Content content() const { return content_; }

  // Lines through the partitions, to be shared by all fits of a division.
  void start(const Division& division);
  // With a few rounds of least squares, or one if that leaves an error above `hopeless`.
  Fit fit(const BlockMode& mode, const Grid& grid, const ColorPlan& plan, double hopeless) const;

  // Steps of a level in any weight or colour, for as long as they make the error less. `division`
  // and `grid` are those that `fit` came from.
  void improve(const Division& division, const Grid& grid, Fit& fit);
  // The same again and again, from colours some levels off what it came to before.
  void polish(const Division& division, const Grid& grid, Fit& fit);

 private:
  using TexelWeights = std::array<std::vector<int>, 2>;  // 0…64, of each plane and texel
  using PartitionColors = std::array<StoredColors, 4>;
  struct Target {
    std::vector<double> weight;      // 0…64 and beyond
    std::vector<double> importance;  // squared length of the texel's segment
  };

  void fit_from(const std::array<Segment, 4>& start, const Grid& grid, const ColorPlan& plan,
                double hopeless, SymbolicBlock block, Fit& best) const;
  uint32_t texel_error(unsigned texel, const EndpointPair& pair, const TexelWeights& weights) const;
  // Exact if below `limit`, else something not below it.
  uint32_t partition_error(unsigned partition, const EndpointPair& pair,
                           const TexelWeights& weights, uint32_t limit = UINT32_MAX) const;
  uint32_t block_error(const PartitionColors& colors, const TexelWeights& weights) const;
  Target target_of(const std::array<Segment, 4>& segments, unsigned plane) const;
  void choose_weights(const std::array<Segment, 4>& segments, const Grid& grid,
                      SymbolicBlock& block, TexelWeights& weights) const;
  static std::vector<uint8_t> solve_weights(const Grid& grid, const Target& target,
                                            const WeightTable& table);
  Segment least_squares(unsigned partition, const TexelWeights& weights) const;
  Color scaled_color(unsigned partition, const TexelWeights& weights, double factor) const;
  std::pair<StoredColors, uint32_t> best_rounding(unsigned partition, const Segment& segment,
                                                  std::span<const EndpointMode> modes,
                                                  IntegerRange range,
                                                  const TexelWeights& weights) const;
  bool choose_colors(const ColorPlan& plan, const TexelWeights& weights,
                     PartitionColors& colors) const;
  void improve(const Grid& grid, TexelWeights& weights, PartitionColors& colors, Fit& fit) const;
  Fit best_kick(const Grid& grid, const Fit& fit) const;
  bool improve_colors(const TexelWeights& weights, PartitionColors& colors, Fit& fit) const;
  bool improve_weights(const Grid& grid, const PartitionColors& colors, TexelWeights& weights,
                       Fit& fit) const;

  std::vector<Rgba> texels_;
  BlockSize size_;
  Content content_;
  const Division* division_ = nullptr;
  struct Start {
    std::array<Segment, 4> outer{};
    std::array<Segment, 4> inner{};
  };
  Start lines_;
  Start lines_through_black_;
};

}  // namespace tessera::astc::oracle
