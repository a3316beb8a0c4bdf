#include "astc/encode/encode_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "astc/encode/chunk.h"
#include "astc/encode/color_codes.h"
#include "astc/encode/digit_codes.h"
#include "astc/encode/items.h"
#include "astc/encode/patterns.h"
#include "astc/encode/stages.h"
#include "astc/format/block128.h"
#include "astc/format/void_extent.h"
#include "base/bytes.h"

namespace tessera::astc {

struct EncodeScratch::Buffers {
  Chunk chunk;
  Items items;
};

EncodeScratch::EncodeScratch() : buffers_(std::make_unique<Buffers>()) {}
EncodeScratch::~EncodeScratch() = default;
EncodeScratch::EncodeScratch(EncodeScratch&&) noexcept = default;
EncodeScratch& EncodeScratch::operator=(EncodeScratch&&) noexcept = default;

namespace {

// Blocks of one colour are stored exactly.
void write_constant_blocks(const Chunk& chunk, BlockSize size, uint8_t* out) {
  for (size_t i = 0; i < chunk.count; ++i) {
    if (chunk.choice[0][i] != kConstantBlock) {
      continue;
    }
    std::array<uint8_t, 4> rgba;
    std::memcpy(rgba.data(), chunk.row(0) + i * size.x, 4);
    std::array<uint16_t, 4> color;
    for (unsigned k = 0; k < 4; ++k) {
      color[k] = static_cast<uint16_t>(rgba[k] * 257);
    }
    store_block(constant_block(color, false), out + size_t{chunk.output[i]} * kBlockBytes);
  }
}

void fit_all(const FitContext& context, Chunk& chunk, Items& items) {
  fit_luminance(context, chunk, items);
  fit_luminance_alpha(context, chunk, items);
  fit_rgb(context, chunk, items);
  fit_rgba(context, chunk, items);
}

std::array<float, 4> root_weights(const EncodeSettings& settings) {
  std::array<float, 4> roots;
  for (unsigned i = 0; i < 4; ++i) {
    // Rounded as IEEE asks, so the same everywhere.
    roots[i] = std::sqrt(settings.channel_weights[i]);
  }
  return roots;
}

void encode_chunk(const CandidateTable& table, BlockSize size, const EncodeSettings& settings,
                  EncodeScratch::Buffers& buffers, uint8_t* out) {
  Chunk& chunk = buffers.chunk;
  Items& items = buffers.items;
  rank_single(table, size, settings, chunk);
  if (settings.partition_search != PartitionSearch::kOff) {
    rank_partitions(table, size, settings, chunk);
  }
  write_constant_blocks(chunk, size, out);
  items.collect(table, chunk, settings.fits);
  if (settings.fits > settings.refined) {
    const FitContext estimate = {
        table, size,  settings, root_weights(settings), settings.fit_passes, 0, 0,
        true,  false, nullptr};
    fit_all(estimate, chunk, items);
    items.keep_best(chunk, settings.refined);
  }
  std::fill_n(chunk.error.begin(), chunk.count, 1e30F);
  const bool has_choice = settings.refined > 1 || settings.refine_passes > 1;
  const FitContext last = {table,
                           size,
                           settings,
                           root_weights(settings),
                           settings.refine_passes,
                           settings.weight_sweeps,
                           settings.endpoint_sweeps,
                           has_choice,
                           settings.refine_passes > 1,
                           out};
  fit_all(last, chunk, items);
}

}  // namespace

void prepare_tables(BlockSize size, const EncodeSettings& settings) {
  candidate_table(size);
  for (unsigned partitions = 2; partitions <= kMaxPartitions; ++partitions) {
    if (settings.partition_search != PartitionSearch::kOff &&
        settings.partitions[partitions - 2].kept > 0) {
      pattern_table(size, partitions);
    }
  }
  if (settings.partition_search == PartitionSearch::kTable) {
    patterns_nearest_to_groups_4x4();
  }
  color_codes(kSmallestColorRange);
  color_codes_in_half(kSmallestColorRange);
  color_codes_in_quarter(kSmallestColorRange);
  color_steps(kSmallestColorRange);
  trit_codes();
  quint_codes();
}

void encode_rows(const ImageView& image, BlockSize size, uint32_t slice, uint32_t first_block_row,
                 uint32_t end_block_row, const EncodeSettings& settings, EncodeScratch& scratch,
                 std::span<uint8_t> out) {
  const CandidateTable& table = candidate_table(size);
  const auto across = static_cast<uint32_t>(divide_round_up(image.info.width, size.x));
  Chunk& chunk = scratch.buffers().chunk;
  chunk.start(size, settings.fits);
  for (uint32_t row = first_block_row; row < end_block_row; ++row) {
    for (uint32_t first = 0; first < across;) {
      const auto room = static_cast<uint32_t>(chunk.capacity - chunk.count);
      const uint32_t end = std::min(across, first + room);
      const uint32_t output = (row - first_block_row) * across + first;
      load_blocks(image, size, {slice, row, first, end, output}, chunk);
      first = end;
      const bool is_last = row + 1 == end_block_row && end == across;
      if (chunk.count == chunk.capacity || is_last) {
        encode_chunk(table, size, settings, scratch.buffers(), out.data());
        chunk.start(size, settings.fits);
      }
    }
  }
}

}  // namespace tessera::astc
