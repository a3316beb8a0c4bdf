// The blocks that go through the stages together, as structure of arrays: index [..][block]. A
// chunk is long enough for blocks of equal work to fill vectors, and short enough for the cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "astc/encode/candidates.h"
#include "astc/encode/families.h"
#include "astc/encode/presets.h"
#include "astc/encode/texel_formats.h"
#include "astc/encode/weight_grid.h"
#include "base/bytes.h"

namespace tessera::astc {

inline constexpr size_t kMaxChunkBlocks = 8192;
inline constexpr size_t kChunkTexels = 512 * 1024;
// Vectors may be read and written past the last block.
inline constexpr size_t kChunkPadding = 64;
inline constexpr size_t kChunkStride = kMaxChunkBlocks + kChunkPadding;
// Fits of all blocks of a chunk.
inline constexpr size_t kMaxFitJobs = 384 * 1024;

// What a block could be encoded as: a candidate of a family, with its pattern (index of the
// PatternTable), the second plane's channel, and which partitions but the first are stored in the
// reduced way where modes are mixed. As one number, its code, so that lanes can select it.
struct Configuration {
  unsigned family;
  unsigned candidate;
  unsigned plane2_channel;
  unsigned pattern;
  unsigned reduced;

  static constexpr unsigned kFamilyShift = 8, kChannelShift = 16, kPatternShift = 18,
                            kReducedShift = 28;
  static constexpr unsigned kPatternMask = kPartitionSeedCount - 1;
  static_assert(kMaxCandidates <= 256 && kFamilyCount <= 256 && kPatternMask < 1u << 10);

  static constexpr int32_t code(unsigned family, unsigned candidate) {
    return static_cast<int32_t>((family << kFamilyShift) | candidate);
  }
  static constexpr Configuration of_code(int32_t code) {
    const auto bits = static_cast<uint32_t>(code);
    return {bits >> kFamilyShift & 255u, bits & 255u, bits >> kChannelShift & 3u,
            bits >> kPatternShift & kPatternMask, bits >> kReducedShift};
  }
};

// The code of no configuration at all, and of a block that is done.
inline constexpr int32_t kNoConfiguration = -1;
// More than the squared error of any block.
inline constexpr float kNoError = 1e30F;

// Where the blocks' numbers lie: memory of the host or of a device. Arrays of several numbers per
// block are a row for each number, `stride` apart.
struct Chunk {
  size_t count = 0;
  bool has_edges = false;  // a block of the chunk reaches over the picture's edge
  size_t stride = 0;

  // Texels inside the picture are those with x < inside_x, y < inside_y and z < inside_z.
  int32_t* inside_x;
  int32_t* inside_y;
  int32_t* inside_z = nullptr;  // null for blocks of 2D
  uint32_t* output;             // index of the block in the output

  // Of the analysis: the covariances of channels i ≥ k, at [i·(i+1)/2 + k].
  constexpr float* covariance(unsigned i) const { return covariances + i * stride; }
  // Of the ranking: the direction of the line through all channels; the part of the error that
  // several partitions may save.
  constexpr float* axis(unsigned i) const { return axes + i * stride; }
  float* partition_gain_bound;
  // And the best configurations with their estimated errors, best first: number i of all blocks.
  // Errors of first fits take the place of estimates.
  constexpr float* estimate(unsigned i) const { return estimates + i * stride; }
  constexpr int32_t* configuration(unsigned i) const { return configurations + i * stride; }
  // And the colour class, as a number by which the ranking keeps blocks together.
  int32_t* class_order = nullptr;
  // Blocks that a stage has chosen, in their order, and the same class by class.
  int32_t* found = nullptr;
  int32_t* selected;
  // Of fitting: the exact error of what has been written, where presets ask for it.
  float* error;

  float* covariances;
  float* axes;
  float* estimates;
  int32_t* configurations;

  constexpr float texels_inside(size_t block) const {
    const int32_t in_slice = inside_x[block] * inside_y[block];
    return static_cast<float>(inside_z == nullptr ? in_slice : in_slice * inside_z[block]);
  }
};

// A chunk with its texels, which are of one of the formats of texel_formats.h.
template <class Texels>
struct TexelChunk : Chunk {
  using Stored = typename Texels::Stored;

  // As in an image whose rows of blocks have been put side by side.
  Stored* texels;
  size_t row_stride = 0;  // texels

  // Row y of all blocks: that of block i starts at i · block width. Blocks of 3D have the rows of
  // one slice after those of another.
  Stored* row(size_t y) const { return texels + y * row_stride; }

  // Whether test(texel) holds for all texels of a block.
  template <class Test>
  bool all_texels(size_t block, BlockSize size, const Test& test) const {
    for (size_t y = 0; y < size.row_count(); ++y) {
      const Stored* const first = row(y) + block * size.width;
      if (!std::all_of(first, first + size.width, test)) {
        return false;
      }
    }
    return true;
  }
};

// Memory for what the stages find out about a chunk's blocks, which chunks use in turn. It lies
// close together, as a page of memory that is touched for the first time takes about as long as a
// fit.
class ChunkFindings {
 public:
  // For the blocks that are in the chunk now.
  void lend_to(Chunk& chunk, unsigned fits) {
    chunk.stride = (chunk.count + kAlignment - 1) / kAlignment * kAlignment + kChunkPadding;
    size_t used = 0;
    const auto take = [&]<class T>(T*& rows, size_t count) {
      static_assert(sizeof(T) == kNumberBytes);
      rows = reinterpret_cast<T*>(memory_.data() + used * kNumberBytes);
      used += count * chunk.stride;
    };
    take(chunk.covariances, kCovariances);
    take(chunk.axes, kAxes);
    take(chunk.partition_gain_bound, 1);
    take(chunk.class_order, 1);
    take(chunk.selected, 1);
    take(chunk.found, 1);
    take(chunk.estimates, fits);
    take(chunk.configurations, fits);
  }

 private:
  static constexpr size_t kNumberBytes = 4, kAlignment = 16;  // numbers of the widest vector
  static constexpr size_t kCovariances = 10, kAxes = 4;
  static constexpr size_t kLongestRow = kChunkStride + kAlignment;
  // Rows of numbers that every block has, and those of its fits, of which long chunks have few.
  static constexpr size_t kNumbers = (kCovariances + kAxes + 4) * kLongestRow +
                                     2 * (kMaxFitJobs + kMaxFits * (kChunkPadding + kAlignment));

  alignas(64) std::array<std::byte, kNumbers * kNumberBytes> memory_;
};

// A chunk with memory of its own for its blocks, which are added to it.
template <class Texels>
class ChunkBuffer : public TexelChunk<Texels> {
 public:
  using Stored = typename Texels::Stored;

  ChunkBuffer() {
    this->inside_x = inside_x_.data();
    this->inside_y = inside_y_.data();
    this->output = output_.data();
    this->error = error_.data();
    this->texels = texels_.data();
  }
  ChunkBuffer(const ChunkBuffer&) = delete;
  ChunkBuffer& operator=(const ChunkBuffer&) = delete;

  // With room for as many of `expected` blocks that chunks of equal length hold them all.
  void start(BlockSize size, unsigned fits, size_t expected = SIZE_MAX) {
    clear();
    capacity_ = std::min({kChunkTexels / size.texel_count(), kMaxChunkBlocks, kMaxFitJobs / fits});
    if (expected < SIZE_MAX) {
      const auto chunks = static_cast<size_t>(divide_round_up(expected, capacity_));
      const uint64_t even = divide_round_up(expected, std::max<size_t>(1, chunks));
      capacity_ = std::max<size_t>(1, static_cast<size_t>(even));
    }
    this->row_stride = (capacity_ + kChunkPadding) * size.width;
    this->inside_z = size.is_3d() ? inside_z_.data() : nullptr;
  }
  void clear() {
    this->count = 0;
    this->has_edges = false;
  }
  size_t capacity() const { return capacity_; }  // blocks, by the block size
  bool is_full() const { return this->count == capacity_; }

  // Copies a block and its error so far.
  void append(const TexelChunk<Texels>& from, size_t block, BlockSize size) {
    const size_t at = this->count;
    for (size_t y = 0; y < size.row_count(); ++y) {
      copy_row(from.row(y) + block * size.width, size.width, this->row(y) + at * size.width);
    }
    this->inside_x[at] = from.inside_x[block];
    this->inside_y[at] = from.inside_y[block];
    this->has_edges = this->has_edges || std::cmp_less(this->inside_x[at], size.width) ||
                      std::cmp_less(this->inside_y[at], size.height);
    if (size.is_3d()) {
      this->inside_z[at] = from.inside_z[block];
      this->has_edges = this->has_edges || std::cmp_less(this->inside_z[at], size.depth);
    }
    this->output[at] = from.output[block];
    this->error[at] = from.error[block];
    ++this->count;
  }

 private:
  // Of one block, 12 to 96 bytes: too few for a call of the library. The last word may overlap the
  // one before.
  static void copy_row(const Stored* from, size_t count, Stored* to) {
    const auto* const source = reinterpret_cast<const uint8_t*>(from);
    auto* const target = reinterpret_cast<uint8_t*>(to);
    const size_t last = count * sizeof(Stored) - sizeof(uint64_t);
    for (size_t byte = 0; byte < last; byte += sizeof(uint64_t)) {
      std::memcpy(target + byte, source + byte, sizeof(uint64_t));
    }
    std::memcpy(target + last, source + last, sizeof(uint64_t));
  }

  template <typename T>
  using PerBlock = std::array<T, kChunkStride>;

  size_t capacity_ = 0;
  alignas(64) PerBlock<int32_t> inside_x_;
  alignas(64) PerBlock<int32_t> inside_y_;
  alignas(64) PerBlock<int32_t> inside_z_;
  PerBlock<uint32_t> output_;
  alignas(64) PerBlock<float> error_;
  alignas(64) std::array<Stored, kChunkTexels + kMaxTexels * kChunkPadding> texels_;
};

}  // namespace tessera::astc
