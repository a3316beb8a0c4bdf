// Block modes in the order in which a model of volumes uses them. For block sizes of 3D, whose
// order has not been learned from pictures.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

// What a mode costs, see Candidate.
struct ModeErrors {
  GridSize grid;
  float weight_error = 0;
  float color_error = 0;
};

// Indices of the modes, the most used first. `channels`: so many are decoded.
std::vector<size_t> modes_by_model(BlockSize size, std::span<const ModeErrors> modes,
                                   unsigned channels);

}  // namespace tessera::astc
