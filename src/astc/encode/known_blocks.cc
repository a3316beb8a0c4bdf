// Finds blocks of one colour, blocks that nobody sees and blocks that repeat.
#include "astc/encode/known_blocks.h"

#include <cstring>

#include "astc/encode/hidden_color.h"
#include "astc/format/block128.h"
#include "astc/format/void_extent.h"

namespace tessera::astc {
namespace {

static_assert(kMaxChunkBlocks <= UINT16_MAX);
constexpr uint16_t kNoBlock = UINT16_MAX;

// Where the rows of a chunk's blocks lie, in bytes. Rows of a block are 12 to 96 bytes: too few for
// a call of the library for each of them, so they are read as words, of which the last may overlap
// the one before.
class BlockRows {
 public:
  using Word = uint64_t;

  template <class Texels>
  BlockRows(const ChunkBuffer<Texels>& chunk, BlockSize size)
      : texels_(reinterpret_cast<const uint8_t*>(chunk.texels)),
        row_stride_(chunk.row_stride * sizeof(typename Texels::Stored)),
        row_bytes_(size.width * sizeof(typename Texels::Stored)),
        row_count_(size.row_count()) {}

  size_t row_count() const { return row_count_; }
  size_t last_word() const { return row_bytes_ - sizeof(Word); }

  Word word(size_t block, size_t y, size_t byte) const {
    Word word;
    std::memcpy(&word, texels_ + y * row_stride_ + block * row_bytes_ + byte, sizeof(word));
    return word;
  }

  // Whether test(y, byte) holds for the words of a block, which begin there.
  template <class Test>
  bool all_words(const Test& test) const {
    for (size_t y = 0; y < row_count_; ++y) {
      for (size_t byte = 0; byte < last_word(); byte += sizeof(Word)) {
        if (!test(y, byte)) {
          return false;
        }
      }
      if (!test(y, last_word())) {
        return false;
      }
    }
    return true;
  }

  bool are_same(size_t a, size_t b) const {
    return all_words([&](size_t y, size_t byte) { return word(a, y, byte) == word(b, y, byte); });
  }

 private:
  const uint8_t* texels_;
  size_t row_stride_;
  size_t row_bytes_;
  size_t row_count_;
};

template <class Texels>
bool is_constant(const BlockRows& rows, size_t block) {
  const BlockRows::Word first = rows.word(block, 0, 0);  // one texel or two
  // Two neighbours are often the same, opposite corners are not: the processor guesses the outcome
  // of this test right for most blocks.
  const BlockRows::Word at_end = rows.word(block, rows.row_count() - 1, rows.last_word());
  constexpr bool kIsOneTexel = sizeof(typename Texels::Stored) == sizeof(first);
  const BlockRows::Word swapped = kIsOneTexel ? first : first << 32 | first >> 32;
  if (((first ^ swapped) | (first ^ at_end)) != 0) {
    return false;
  }
  return rows.all_words([&](size_t y, size_t byte) { return rows.word(block, y, byte) == first; });
}

template <class Texels>
typename Texels::Stored hidden_color(const ChunkBuffer<Texels>& chunk, size_t block,
                                     BlockSize size) {
  HiddenColor<typename Texels::Stored> color;
  for (size_t y = 0; y < size.row_count(); ++y) {
    for (size_t x = 0; x < size.width; ++x) {
      color.add(chunk.row(y)[block * size.width + x]);
    }
  }
  return color.mean();
}

bool are_alike_at_edges(const Chunk& chunk, size_t a, size_t b) {
  return chunk.inside_x[a] == chunk.inside_x[b] && chunk.inside_y[a] == chunk.inside_y[b] &&
         (chunk.inside_z == nullptr || chunk.inside_z[a] == chunk.inside_z[b]);
}

// Of the first and the last word of each of two rows: enough to tell most blocks apart. Products do
// not wait for each other; slot and tag together depend on all bytes.
uint64_t hash(const BlockRows& rows, const Chunk& chunk, size_t block) {
  constexpr uint64_t kFactors[] = {0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93,
                                   0xA0761D6478BD642F};
  const size_t middle = rows.row_count() / 2, last = rows.row_count() - 1;
  uint64_t sum = rows.word(block, middle, 0) * kFactors[0];
  sum += rows.word(block, middle, rows.last_word()) * kFactors[1];
  sum += rows.word(block, last, 0) * kFactors[2];
  sum += rows.word(block, last, rows.last_word()) * kFactors[3];
  sum += static_cast<uint64_t>(chunk.inside_x[block]) << 40;
  sum += static_cast<uint64_t>(chunk.inside_y[block]) << 36;
  return sum ^ sum >> 29;
}

}  // namespace

void KnownBlocks::start() {
  repeat_count_ = 0;
  constant_texels_ = 0;
  forget_chunk();
}

void KnownBlocks::forget_chunk() {
  slots_.fill({kNoBlock, 0});
}

bool KnownBlocks::is_repeated(uint64_t hashed, size_t block, const Chunk& chunk,
                              const auto& are_same) {
  const auto tag = static_cast<uint16_t>(hashed >> 16);
  Slot& slot = slots_[hashed >> 32 & (kSlots - 1)];
  const size_t known = slot.block;
  if (slot.tag == tag && known != kNoBlock && repeat_count_ < kMaxRepeats &&
      are_alike_at_edges(chunk, known, block) && are_same(known, block)) {
    repeats_[repeat_count_++] = {chunk.output[block], chunk.output[known]};
    return true;
  }
  slot = {static_cast<uint16_t>(chunk.count), tag};
  return false;
}

template <class Texels>
void KnownBlocks::take(BlockSize size, size_t first, bool reuses_blocks,
                       const EncodeSettings& settings, ChunkBuffer<Texels>& chunk, uint8_t* out) {
  const BlockRows rows(chunk, size);
  const auto write = [&](size_t block, typename Texels::Stored texel) {
    const auto color = Texels::constant_color(texel, settings.hdr_alpha);
    store_block(constant_block(color, Texels::kIsHdr),
                out + size_t{chunk.output[block]} * kBlockBytes);
    constant_texels_ += chunk.texels_inside(block);
  };
  const auto are_same = [&](size_t a, size_t b) { return rows.are_same(a, b); };
  const size_t end = chunk.count;
  chunk.count = first;
  for (size_t block = first; block < end; ++block) {
    if (is_constant<Texels>(rows, block)) {
      write(block, chunk.row(0)[block * size.width]);
    } else if (settings.alpha_weight &&
               chunk.all_texels(block, size, is_hidden<typename Texels::Stored>)) {
      write(block, hidden_color(chunk, block, size));
    } else if (reuses_blocks && is_repeated(hash(rows, chunk, block), block, chunk, are_same)) {
      continue;
    } else if (chunk.count < block) {
      chunk.append(chunk, block, size);
    } else {
      ++chunk.count;
    }
  }
}

template void KnownBlocks::take(BlockSize, size_t, bool, const EncodeSettings&,
                                ChunkBuffer<Rgba8Texels>&, uint8_t*);
template void KnownBlocks::take(BlockSize, size_t, bool, const EncodeSettings&,
                                ChunkBuffer<LnsTexels>&, uint8_t*);

void KnownBlocks::write_repeated_blocks(uint8_t* out) const {
  for (size_t i = 0; i < repeat_count_; ++i) {
    std::memcpy(out + size_t{repeats_[i].to} * kBlockBytes,
                out + size_t{repeats_[i].from} * kBlockBytes, kBlockBytes);
  }
}

}  // namespace tessera::astc
