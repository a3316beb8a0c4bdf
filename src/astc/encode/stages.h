// The stages that are compiled once an instruction set, for whole chunks. Each has a file of its
// own.
#pragma once

#include <cstdint>

#include "astc/encode/candidates.h"
#include "astc/encode/chunk.h"
#include "astc/encode/fit_context.h"
#include "astc/encode/items.h"
#include "astc/encode/presets.h"
#include "image/image.h"

namespace tessera::astc {

// A run of blocks side by side.
struct BlockRun {
  uint32_t slice;
  uint32_t row;
  uint32_t first;
  uint32_t end;
  uint32_t output;  // index of the first one in the output
};

// Appends blocks to the chunk.
void load_blocks(const ImageView& image, BlockSize size, const BlockRun& run, Chunk& chunk);

// Analysis and ranking of one partition, for all blocks of the chunk.
void rank_single(const CandidateTable& table, BlockSize size, const EncodeSettings& settings,
                 Chunk& chunk);

// Ranking of several partitions, for the blocks that may gain by them.
void rank_partitions(const CandidateTable& table, BlockSize size, const EncodeSettings& settings,
                     Chunk& chunk);

// Fits the items of all families of a colour class, fills in their errors, and, where
// context.out is given, writes the blocks that are better than what chunk.error says.
void fit_luminance(const FitContext& context, Chunk& chunk, Items& items);
void fit_luminance_alpha(const FitContext& context, Chunk& chunk, Items& items);
void fit_rgb(const FitContext& context, Chunk& chunk, Items& items);
void fit_rgba(const FitContext& context, Chunk& chunk, Items& items);

}  // namespace tessera::astc
