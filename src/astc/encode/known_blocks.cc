// Finds blocks of one colour and blocks that repeat.
#include "astc/encode/known_blocks.h"

#include <cstring>

#include "astc/format/block128.h"
#include "astc/format/void_extent.h"

namespace tessera::astc {
namespace {

constexpr unsigned kIndexBits = 16;
static_assert(kMaxChunkBlocks <= 1u << kIndexBits);

// Every texel of the first row is equal to the next one, and every other row to the first.
template <class Texels>
bool is_constant(const ChunkBuffer<Texels>& chunk, size_t block, BlockSize size) {
  using Texel = typename Texels::Stored;
  const Texel* const first = chunk.row(0) + block * size.width;
  const size_t row_bytes = size.width * sizeof(Texel);
  if (first[0] != first[1] || std::memcmp(first, first + 1, row_bytes - sizeof(Texel)) != 0) {
    return false;
  }
  for (size_t y = 1; y < size.row_count(); ++y) {
    if (std::memcmp(first, chunk.row(y) + block * size.width, row_bytes) != 0) {
      return false;
    }
  }
  return true;
}

template <class Texels>
bool are_same(const ChunkBuffer<Texels>& chunk, size_t a, size_t b, BlockSize size) {
  using Texel = typename Texels::Stored;
  if (chunk.inside_x[a] != chunk.inside_x[b] || chunk.inside_y[a] != chunk.inside_y[b]) {
    return false;
  }
  if (size.is_3d() && chunk.inside_z[a] != chunk.inside_z[b]) {
    return false;
  }
  for (size_t y = 0; y < size.row_count(); ++y) {
    const Texel* const row = chunk.row(y);
    if (std::memcmp(row + a * size.width, row + b * size.width, size.width * sizeof(Texel)) != 0) {
      return false;
    }
  }
  return true;
}

// Of 16 bytes, or of as many as there are, in each of two rows: enough to tell most blocks apart.
// Products do not wait for each other; the upper bits of their sum depend on all bytes.
template <class Texels>
uint64_t hash(const ChunkBuffer<Texels>& chunk, size_t block, BlockSize size) {
  using Texel = typename Texels::Stored;
  constexpr uint64_t kFactors[] = {0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93,
                                   0xA0761D6478BD642F};
  // The bits of the last eight bytes that belong to the block.
  const uint64_t last_pair = size.width * sizeof(Texel) < 16 ? UINT32_MAX : UINT64_MAX;
  auto sum = static_cast<uint64_t>(chunk.inside_x[block]) << 40;
  sum += static_cast<uint64_t>(chunk.inside_y[block]) << 36;
  const size_t rows[] = {size.row_count() / 2u, size.row_count() - 1u};
  for (size_t i = 0; i < 2; ++i) {
    uint64_t pairs[2];
    std::memcpy(pairs, chunk.row(rows[i]) + block * size.width, sizeof(pairs));
    sum += pairs[0] * kFactors[2 * i] + (pairs[1] & last_pair) * kFactors[2 * i + 1];
  }
  return sum ^ sum >> 29;
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
    slots_.fill({});
    chunk_number_ = 1u << kIndexBits;
  }
}

template <class Texels>
bool KnownBlocks::is_repeated(BlockSize size, size_t block, const ChunkBuffer<Texels>& chunk) {
  const uint64_t hashed = hash(chunk, block, size);
  const auto tag = static_cast<uint32_t>(hashed);
  Slot& slot = slots_[hashed >> 32 & (kSlots - 1)];
  const size_t known = slot.block - chunk_number_;  // wraps where the slot is of another chunk
  if (slot.tag == tag && known < chunk.count && repeat_count_ < kMaxRepeats &&
      are_same(chunk, known, block, size)) {
    repeats_[repeat_count_++] = {chunk.output[block], chunk.output[known]};
    return true;
  }
  slot = {chunk_number_ + static_cast<uint32_t>(chunk.count), tag};
  return false;
}

template <class Texels>
void KnownBlocks::take(BlockSize size, size_t first, bool reuses_blocks, bool hdr_alpha,
                       ChunkBuffer<Texels>& chunk, uint8_t* out) {
  const size_t end = chunk.count;
  chunk.count = first;
  for (size_t block = first; block < end; ++block) {
    if (is_constant(chunk, block, size)) {
      const auto color = Texels::constant_color(chunk.row(0)[block * size.width], hdr_alpha);
      store_block(constant_block(color, Texels::kIsHdr),
                  out + size_t{chunk.output[block]} * kBlockBytes);
      constant_texels_ += chunk.texels_inside(block);
    } else if (reuses_blocks && is_repeated(size, block, chunk)) {
      continue;
    } else if (chunk.count < block) {
      chunk.append(chunk, block, size);
    } else {
      ++chunk.count;
    }
  }
}

template void KnownBlocks::take(BlockSize, size_t, bool, bool, ChunkBuffer<Rgba8Texels>&, uint8_t*);
template void KnownBlocks::take(BlockSize, size_t, bool, bool, ChunkBuffer<LnsTexels>&, uint8_t*);

void KnownBlocks::write_repeated_blocks(uint8_t* out) const {
  for (size_t i = 0; i < repeat_count_; ++i) {
    std::memcpy(out + size_t{repeats_[i].to} * kBlockBytes,
                out + size_t{repeats_[i].from} * kBlockBytes, kBlockBytes);
  }
}

}  // namespace tessera::astc
