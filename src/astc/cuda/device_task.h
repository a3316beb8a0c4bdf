// What the kernels of a device are given. The same for all kernels, whatever block size they are
// compiled for.
#pragma once

#include <array>
#include <cstdint>

#include "astc/cuda/job_bins.h"
#include "astc/cuda/picture.h"
#include "astc/encode/chunk.h"
#include "astc/encode/encode_tables.h"
#include "astc/encode/presets.h"
#include "astc/format/block128.h"

namespace tessera::astc {

// Texels that are read from the picture when a stage needs them: a device has no use for a copy
// sorted by blocks.
struct PictureTexels : Rgba8Texels {};

template <>
struct TexelChunk<PictureTexels> : Chunk {
  Picture picture;

  // Number of a block in the picture, counted row by row. In a chunk of all blocks it is the
  // block's own.
  constexpr uint32_t place(size_t block) const {
    return output == nullptr ? static_cast<uint32_t>(block) : output[block];
  }
};
using PictureChunk = TexelChunk<PictureTexels>;

// Blocks of the picture that go through an effort, and what the efforts before have left of their
// errors.
struct BlockList {
  uint32_t* places;
  float* errors;
  uint32_t* count;
};

// Blocks that one stage lists for the next. Opaque blocks have a list of their own, so that the
// threads of a warp do the same, and each of the two runs code of its own.
struct SelectedBlocks {
  int32_t* blocks;
  uint32_t* count;
};
using SelectedLists = std::array<SelectedBlocks, 2>;  // opaque blocks, others

// Partition patterns of blocks, found by one stage for the next. Blocks are numbered as they are
// selected.
struct FoundPatterns {
  // Bits of traits.
  static constexpr int32_t kOpaque = 1, kGrey = 2;
  // Behind the texels of a block: the two axes, the mean, and the distance from the plane.
  static constexpr size_t kPlaneFloats = 16;

  // Texels along two axes: all of the first, then all of the second. Each begins at a multiple of
  // four floats, so that four of them are read and written at once: threads do so far from each
  // other, and memory counts how often.
  float* planar = nullptr;
  int32_t* traits = nullptr;
  int32_t* patterns = nullptr;  // the best first
  uint32_t room = 0;            // for so many patterns of one partition count of a block

  static constexpr size_t axis_floats(size_t texels) { return (texels + 3) / 4 * 4; }
  static constexpr size_t planar_floats(size_t texels) {
    return 2 * axis_floats(texels) + kPlaneFloats;
  }
  constexpr float* planar_of_block(size_t item, size_t texels) const {
    return planar + item * planar_floats(texels);
  }
  constexpr size_t patterns_per_block() const { return room * (kMaxPartitions - 1); }
  constexpr int32_t* of_block(size_t item, unsigned partitions) const {
    return patterns + item * patterns_per_block() + (partitions - 2) * room;
  }
};

// What all stages of an effort read.
struct DeviceTask {
  const EncodeTables* tables;
  const uint16_t* bin_of_candidate;  // by the index in EncodeTables::all_candidates
  EncodeSettings settings;
  std::array<float, 4> root_weights;  // of settings.channel_weights
  float grey[3];                      // see RankContext
  BlockSize size;
  PictureChunk chunk;
  Block128* out;  // by place
};

// What is asked of a fit, see FitContext.
struct FitEffort {
  unsigned passes;
  unsigned weight_sweeps;
  unsigned endpoint_moves;
  bool best_pass;
};

// What becomes of a fit.
enum class FitUse {
  kError,   // its error takes the place of the estimate
  kBlock,   // it is written if it is the best so far: of jobs with one per block
  kChoice,  // error and packed block are kept by job, for ChooseBest
};

// Jobs of one shape: indices of configurations.
struct ShapeJobs {
  JobShape shape;
  FitEffort effort;
  FitUse use;
  const uint32_t* jobs;
  uint32_t count;
  Block128* packed;  // by job
};

}  // namespace tessera::astc
