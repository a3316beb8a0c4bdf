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
  uint32_t slice;  // of blocks: those of one layer of the image after those of another
  uint32_t row;
  uint32_t first;
  uint32_t end;
  uint32_t output;  // index of the first one in the output
};

// Appends blocks to the chunk, of an image of four 8-bit channels or of four half floats.
void load_blocks(const ImageView& image, BlockSize size, const BlockRun& run, bool hdr_alpha,
                 ChunkBuffer<Rgba8Texels>& chunk);
void load_blocks(const ImageView& image, BlockSize size, const BlockRun& run, bool hdr_alpha,
                 ChunkBuffer<LnsTexels>& chunk);

// Analysis and ranking of one partition with one plane, for all blocks of the chunk. Returns the
// number of those that two planes may suit better, whose numbers are in chunk.found.
size_t rank_one_plane(const EncodeTables& tables, const EncodeSettings& settings,
                      TexelChunk<Rgba8Texels>& chunk);
size_t rank_one_plane(const EncodeTables& tables, const EncodeSettings& settings,
                      TexelChunk<LnsTexels>& chunk);

// Ranking of one partition with two planes, for the first `count` blocks of chunk.found.
void rank_two_planes(const EncodeTables& tables, const EncodeSettings& settings, size_t count,
                     TexelChunk<Rgba8Texels>& chunk);
void rank_two_planes(const EncodeTables& tables, const EncodeSettings& settings, size_t count,
                     TexelChunk<LnsTexels>& chunk);

// Ranking of several partitions, for the blocks that may gain by them.
void rank_partitions(const EncodeTables& tables, const EncodeSettings& settings,
                     TexelChunk<Rgba8Texels>& chunk);
void rank_partitions(const EncodeTables& tables, const EncodeSettings& settings,
                     TexelChunk<LnsTexels>& chunk);

// Fits the jobs of all families of a colour class, fills in their errors, and, where
// context.out is given, writes the blocks that are better than what chunk.error says.
void fit_luminance(const FitContext& context, TexelChunk<Rgba8Texels>& chunk, FitJobs& jobs);
void fit_luminance_alpha(const FitContext& context, TexelChunk<Rgba8Texels>& chunk, FitJobs& jobs);
void fit_rgb(const FitContext& context, TexelChunk<Rgba8Texels>& chunk, FitJobs& jobs);
void fit_rgba(const FitContext& context, TexelChunk<Rgba8Texels>& chunk, FitJobs& jobs);
// HDR has no class of grey with alpha.
void fit_hdr_opaque(const FitContext& context, TexelChunk<LnsTexels>& chunk, FitJobs& jobs);
void fit_hdr_alpha(const FitContext& context, TexelChunk<LnsTexels>& chunk, FitJobs& jobs);

}  // namespace tessera::astc
