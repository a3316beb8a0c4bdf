// One plane of a tile as a stream of bits.
#pragma once

#include "fractal/leaf_syntax.h"
#include "fractal/rate_model.h"

namespace tessera::fractal {

// What a plane's stream depends on besides its bits.
struct PlaneShape {
  uint32_t width = 0;  // of the samples that count; leaves cover it padded to whole root blocks
  uint32_t height = 0;
  int32_t dct_step = 0;
  bool hybrid = true;

  uint32_t padded_width() const { return (width + kRootSide - 1) / kRootSide * kRootSide; }
  uint32_t padded_height() const { return (height + kRootSide - 1) / kRootSide * kRootSide; }
};

// Leaves in coding order, means as the decoder will have them: the encoder's means are replaced by
// quantised ones.
void write_plane(BitWriter& writer, const PlaneShape& shape, PlaneModel& model, LeafList& list);

// The same without writing: counts the symbols of a list for the encoder's next pass.
std::vector<RateModel::Counts> count_plane(const PlaneShape& shape, LeafList& list);

// Any bits give a valid list of leaves.
LeafList read_plane(BitReader& reader, const PlaneShape& shape);

// Quantises the mean of a leaf in the context of those before it; returns the coded difference.
int32_t quantise_mean(const Neighbourhood::Context& context, int32_t step, int32_t mean);
int16_t dequantise_mean(const Neighbourhood::Context& context, int32_t step, int32_t difference);

}  // namespace tessera::fractal
