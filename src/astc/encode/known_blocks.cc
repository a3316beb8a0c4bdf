// Finds blocks of one colour and blocks that repeat.
#include "astc/encode/known_blocks.h"

#include <cstring>

#include "astc/format/block128.h"
#include "astc/format/void_extent.h"

namespace tessera::astc {
namespace {

using ImageChunk = ChunkBuffer<Rgba8Texels>;
using Texel = Rgba8Texels::Stored;

constexpr unsigned kIndexBits = 16;
static_assert(kMaxChunkBlocks <= 1u << kIndexBits);

bool is_constant(const ImageChunk& chunk, size_t block, BlockSize size) {
  const Texel color = chunk.row(0)[block * size.width];
  return chunk.all_texels(block, size, [&](Texel texel) { return texel == color; });
}

bool are_same(const ImageChunk& chunk, size_t a, size_t b, BlockSize size) {
  if (chunk.inside_x[a] != chunk.inside_x[b] || chunk.inside_y[a] != chunk.inside_y[b]) {
    return false;
  }
  for (size_t y = 0; y < size.height; ++y) {
    const Texel* const row = chunk.row(y);
    if (std::memcmp(row + a * size.width, row + b * size.width, size.width * sizeof(Texel)) != 0) {
      return false;
    }
  }
  return true;
}

// Of four texels in each of two rows: enough to tell most blocks apart.
size_t hash(const ImageChunk& chunk, size_t block, BlockSize size) {
  constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
  auto sum = static_cast<uint64_t>(chunk.inside_x[block]) << 32;
  sum += static_cast<uint64_t>(chunk.inside_y[block]);
  for (const size_t y : {size_t{size.height / 2u}, size_t{size.height - 1u}}) {
    uint64_t pairs[2];
    std::memcpy(pairs, chunk.row(y) + block * size.width, sizeof(pairs));
    sum = (sum ^ pairs[0]) * kGoldenRatio;
    sum = (sum ^ (sum >> 32) ^ pairs[1]) * kGoldenRatio;
  }
  return static_cast<size_t>(sum >> 48);
}

// Takes blocks from `first` on out of the chunk for which is_taken(block) says so, in their order;
// those that stay move up before the next one is asked for.
template <class IsTaken>
void take_blocks(BlockSize size, size_t first, ImageChunk& chunk, const IsTaken& is_taken) {
  const size_t end = chunk.count;
  chunk.count = first;
  for (size_t block = first; block < end; ++block) {
    if (chunk.count < block) {
      chunk.append(chunk, block, size);
    } else {
      ++chunk.count;
    }
    if (is_taken(chunk.count - 1)) {
      --chunk.count;
    }
  }
}

}  // namespace

void KnownBlocks::start() {
  repeat_count_ = 0;
  constant_texels_ = 0;
  forget_chunk();
}

void KnownBlocks::forget_chunk() {
  chunk_number_ += 1u << kIndexBits;
  if (chunk_number_ == 0) {  // the numbers have come round
    slots_.fill(0);
    chunk_number_ = 1u << kIndexBits;
  }
}

void KnownBlocks::take_constant_blocks(BlockSize size, size_t first, ImageChunk& chunk,
                                       uint8_t* out) {
  take_blocks(size, first, chunk, [&](size_t block) {
    if (!is_constant(chunk, block, size)) {
      return false;
    }
    const auto color = Rgba8Texels::constant_color(chunk.row(0)[block * size.width]);
    store_block(constant_block(color, false), out + size_t{chunk.output[block]} * kBlockBytes);
    constant_texels_ += chunk.texels_inside(block);
    return true;
  });
}

void KnownBlocks::take_repeated_blocks(BlockSize size, size_t first, ImageChunk& chunk) {
  take_blocks(size, first, chunk, [&](size_t block) {
    uint32_t& slot = slots_[hash(chunk, block, size) % kSlots];
    const size_t known = slot - chunk_number_;  // wraps where the slot is of another chunk
    if (known < block && repeat_count_ < kMaxRepeats && are_same(chunk, known, block, size)) {
      repeats_[repeat_count_++] = {chunk.output[block], chunk.output[known]};
      return true;
    }
    slot = chunk_number_ + static_cast<uint32_t>(block);
    return false;
  });
}

void KnownBlocks::write_repeated_blocks(uint8_t* out) const {
  for (size_t i = 0; i < repeat_count_; ++i) {
    std::memcpy(out + size_t{repeats_[i].to} * kBlockBytes,
                out + size_t{repeats_[i].from} * kBlockBytes, kBlockBytes);
  }
}

}  // namespace tessera::astc
