#include "astc/encode/encode_rows.h"

#include <algorithm>
#include <cstring>

#include "astc/encode/batches.h"
#include "astc/encode/candidates.h"
#include "astc/encode/chunk.h"
#include "astc/format/color_endpoints.h"
#include "astc/format/void_extent.h"
#include "base/bytes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "astc/encode/encode_rows.cc"
#include "hwy/foreach_target.h"
// foreach_target.h comes first: it includes this file again for every target.
#include "astc/encode/fit-inl.h"
#include "astc/encode/load_blocks-inl.h"
#include "astc/encode/pack-inl.h"
#include "astc/encode/rank-inl.h"

#ifndef TESSERA_ASTC_ENCODE_ROWS_BUFFERS_
#define TESSERA_ASTC_ENCODE_ROWS_BUFFERS_
namespace tessera::astc {

struct EncodeScratch::Buffers {
  Chunk chunk;
  Batches batches;
};

}  // namespace tessera::astc
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

// The next blocks of a batch, one a lane; the last one is repeated to fill the
// vector.
HWY_INLINE I32 load_batch_blocks(std::span<const uint16_t> blocks) {
  HWY_ALIGN int32_t index[lanes::kMaxLaneCount];
  for (size_t i = 0; i < lanes::lane_count(); ++i) {
    index[i] = blocks[std::min(i, blocks.size() - 1)];
  }
  return lanes::load_i32(index);
}

HWY_INLINE void write_blocks(const BlockBits& bits, std::span<const uint16_t> blocks,
                             const Chunk& chunk, uint8_t* out) {
  HWY_ALIGN uint32_t words[4 * lanes::kMaxLaneCount];
  lanes::store_block_words(bits.word(0), bits.word(1), bits.word(2), bits.word(3), words);
  for (size_t lane = 0; lane < blocks.size(); ++lane) {
    const Block128 block = {words[4 * lane] | (uint64_t{words[4 * lane + 1]} << 32),
                            words[4 * lane + 2] | (uint64_t{words[4 * lane + 3]} << 32)};
    store_block(block, out + size_t{chunk.output[blocks[lane]]} * kBlockBytes);
  }
}

constexpr EndpointMode endpoint_mode(ColorClass color_class) {
  constexpr EndpointMode kModes[] = {EndpointMode::kLuminance, EndpointMode::kLuminanceAlpha,
                                     EndpointMode::kRgb, EndpointMode::kRgba};
  return kModes[static_cast<unsigned>(color_class)];
}

template <ColorClass kClass, bool kDual>
HWY_NOINLINE void fit_and_pack(const Chunk& chunk, const CandidateTable& table, BlockSize size,
                               const Batches& batches, uint8_t* out) {
  const unsigned list = CandidateTable::list_index(kClass, kDual);
  const std::vector<Candidate>& candidates = table.candidates(kClass, kDual);
  FitResult result;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const WeightGrid& grid = table.grids()[candidates[i].grid];
    std::span<const uint16_t> blocks = batches.group(list, i);
    while (!blocks.empty()) {
      const auto now = blocks.first(std::min(blocks.size(), lanes::lane_count()));
      const FitBatch batch = {chunk, size, grid, candidates[i], load_batch_blocks(now)};
      Fit<kClass, kDual>(batch).run(result);
      const BlockBits bits =
          pack_blocks(result, candidates[i], grid.size.count() * (kDual ? 2u : 1u),
                      2 * stored_channels(kClass), static_cast<unsigned>(endpoint_mode(kClass)),
                      kDual, lanes::gather(chunk.plane2_channel.data(), batch.block));
      write_blocks(bits, now, chunk, out);
      blocks = blocks.subspan(now.size());
    }
  }
}

// Blocks of one colour are stored exactly.
HWY_INLINE void write_constant_blocks(const Chunk& chunk, uint8_t* out) {
  for (size_t i = 0; i < chunk.count; ++i) {
    if (chunk.list[i] == kConstantBlock) {
      std::array<uint8_t, 4> rgba;
      std::memcpy(rgba.data(), chunk.texel_row(0) + i, 4);
      std::array<uint16_t, 4> color;
      for (unsigned k = 0; k < 4; ++k) {
        color[k] = static_cast<uint16_t>(rgba[k] * 257);
      }
      store_block(constant_block(color, false), out + size_t{chunk.output[i]} * kBlockBytes);
    }
  }
}

void encode_chunk(const CandidateTable& table, BlockSize size, const EncodeSettings& settings,
                  EncodeScratch::Buffers& buffers, uint8_t* out) {
  Chunk& chunk = buffers.chunk;
  const Batches& batches = buffers.batches;
  rank_chunk(table, size, settings, chunk);
  sort_into_batches(chunk, buffers.batches);
  write_constant_blocks(chunk, out);
  fit_and_pack<ColorClass::kLuminance, false>(chunk, table, size, batches, out);
  fit_and_pack<ColorClass::kLuminanceAlpha, false>(chunk, table, size, batches, out);
  fit_and_pack<ColorClass::kLuminanceAlpha, true>(chunk, table, size, batches, out);
  fit_and_pack<ColorClass::kRgb, false>(chunk, table, size, batches, out);
  fit_and_pack<ColorClass::kRgb, true>(chunk, table, size, batches, out);
  fit_and_pack<ColorClass::kRgba, false>(chunk, table, size, batches, out);
  fit_and_pack<ColorClass::kRgba, true>(chunk, table, size, batches, out);
  chunk.start(size.texel_count());
}

void encode_rows_on_target(const ImageView& image, BlockSize size, uint32_t slice,
                           uint32_t first_block_row, uint32_t end_block_row,
                           const EncodeSettings& settings, EncodeScratch::Buffers& buffers,
                           std::span<uint8_t> out) {
  const CandidateTable& table = candidate_table(size);
  const auto across = static_cast<uint32_t>(divide_round_up(image.info.width, size.x));
  Chunk& chunk = buffers.chunk;
  chunk.start(size.texel_count());
  for (uint32_t row = first_block_row; row < end_block_row; ++row) {
    for (uint32_t first = 0; first < across;) {
      const auto room = static_cast<uint32_t>(chunk.capacity - chunk.count);
      const uint32_t end = std::min(across, first + room);
      load_blocks(image, size, slice, row, first, end, (row - first_block_row) * across + first,
                  chunk);
      first = end;
      const bool is_last = row + 1 == end_block_row && end == across;
      if (chunk.count == chunk.capacity || is_last) {
        encode_chunk(table, size, settings, buffers, out.data());
      }
    }
  }
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::astc {

HWY_EXPORT(encode_rows_on_target);

EncodeScratch::EncodeScratch() : buffers_(std::make_unique<Buffers>()) {}
EncodeScratch::~EncodeScratch() = default;
EncodeScratch::EncodeScratch(EncodeScratch&&) noexcept = default;
EncodeScratch& EncodeScratch::operator=(EncodeScratch&&) noexcept = default;

void encode_rows(const ImageView& image, BlockSize size, uint32_t slice, uint32_t first_block_row,
                 uint32_t end_block_row, const EncodeSettings& settings, EncodeScratch& scratch,
                 std::span<uint8_t> out) {
  HWY_DYNAMIC_DISPATCH(encode_rows_on_target)
  (image, size, slice, first_block_row, end_block_row, settings, scratch.buffers(), out);
}

}  // namespace tessera::astc
#endif  // HWY_ONCE
