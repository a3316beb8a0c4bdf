// The stages that are compiled once per target, for whole chunks. Each has a file of its own.
#pragma once

#include <cstdint>

#include "astc/encode/chunk.h"
#include "astc/encode/encode_tables.h"
#include "astc/encode/fit_context.h"
#include "astc/encode/fit_jobs.h"
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
void load_blocks(const ImageView& image, BlockSize size, const BlockRun& run,
                 ChunkBuffer<Rgba8Texels>& chunk);

// Analysis and ranking of one partition, for all blocks of the chunk.
void rank_single(const EncodeTables& tables, const EncodeSettings& settings,
                 TexelChunk<Rgba8Texels>& chunk);

// Ranking of several partitions, for the blocks that may gain by them.
void rank_partitions(const EncodeTables& tables, const EncodeSettings& settings,
                     TexelChunk<Rgba8Texels>& chunk);

// Fits the jobs of all families of a colour class, fills in their errors, and, where
// context.out is given, writes the blocks that are better than what chunk.error says.
void fit_luminance(const FitContext& context, TexelChunk<Rgba8Texels>& chunk, FitJobs& jobs);
void fit_luminance_alpha(const FitContext& context, TexelChunk<Rgba8Texels>& chunk, FitJobs& jobs);
void fit_rgb(const FitContext& context, TexelChunk<Rgba8Texels>& chunk, FitJobs& jobs);
void fit_rgba(const FitContext& context, TexelChunk<Rgba8Texels>& chunk, FitJobs& jobs);

}  // namespace tessera::astc
