// What the fitting stage is asked for.
#pragma once

#include <array>
#include <cstdint>

#include "astc/encode/chunk.h"
#include "astc/encode/encode_tables.h"
#include "astc/encode/fit_jobs.h"
#include "astc/encode/presets.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

struct FitContext {
  const EncodeTables& tables;
  BlockSize size;
  const EncodeSettings& settings;
  std::array<float, 4> root_weights;  // of settings.channel_weights
  unsigned passes;                    // of least squares
  unsigned weight_sweeps;             // of weight descent
  unsigned endpoint_moves;            // of stored colours that are tried, where best_pass
  bool needs_error;                   // false: there is nothing to compare a block's fit with
  bool best_pass;                     // the best of all passes, not the last one
  uint8_t* out;  // where better blocks are written; null: only errors are wanted
};

}  // namespace tessera::astc
