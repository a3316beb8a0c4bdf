// Stage 1: copies rows of texels; half floats become numbers on the logarithmic scale. Blocks that
// reach over the edge are completed by repeating the last column, row and slice; later stages give
// the copies no weight.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "astc/encode/stages.h"
#include "base/half.h"

namespace tessera::astc {
namespace {

// The slices of the image that a slice of blocks covers.
struct BlockSlices {
  uint32_t first;
  uint32_t count;
};

BlockSlices slices_of(const ImageInfo& image, BlockSize size, uint32_t slice_of_blocks) {
  if (!size.is_3d()) {
    return {slice_of_blocks, 1};
  }
  const auto per_layer = static_cast<uint32_t>(divide_round_up(image.depth, size.depth));
  const uint32_t z = slice_of_blocks % per_layer * size.depth;
  return {slice_of_blocks / per_layer * image.depth + z, std::min(size.depth, image.depth - z)};
}

// For every half float.
struct HalfTables {
  std::array<uint16_t, 65536> lns;
  std::array<uint16_t, 65536> unorm16;  // 0…1, which all others are clamped to

  HalfTables() {
    for (uint32_t bits = 0; bits < lns.size(); ++bits) {
      const auto half = static_cast<uint16_t>(bits);
      lns[bits] = lns_of_half(half);
      const float value = half_to_float(half);
      const float clamped = value > 0 ? std::min(value, 1.0F) : 0.0F;  // NaN becomes 0
      const auto wide = static_cast<uint16_t>(clamped * 65535.0F + 0.5F);
      unorm16[bits] = wide == LnsTexels::kHdrOne ? static_cast<uint16_t>(wide + 1) : wide;
    }
  }
};

// Rows of a caller may begin at any byte.
void copy_texels(const uint8_t* from, size_t count, bool /*hdr_alpha*/, Rgba8Texels::Stored* to) {
  std::memcpy(to, from, count * sizeof(*to));
}

void copy_texels(const uint8_t* from, size_t count, bool hdr_alpha, LnsTexels::Stored* to) {
  static const HalfTables tables;  // texels are loaded by the host alone, also for devices
  const auto& alpha = hdr_alpha ? tables.lns : tables.unorm16;
  for (size_t i = 0; i < count; ++i) {
    uint16_t half[4];
    std::memcpy(half, from + i * sizeof(half), sizeof(half));
    to[i] = uint64_t{tables.lns[half[0]]} | (uint64_t{tables.lns[half[1]]} << 16) |
            (uint64_t{tables.lns[half[2]]} << 32) | (uint64_t{alpha[half[3]]} << 48);
  }
}

template <class Texels>
void load_run(const ImageView& image, BlockSize size, const BlockRun& run, bool hdr_alpha,
              ChunkBuffer<Texels>& chunk) {
  using Stored = typename Texels::Stored;
  const uint32_t width = image.info.width, height = image.info.height;
  const uint32_t x0 = run.first * size.width, y0 = run.row * size.height;
  const uint32_t count = run.end - run.first;
  const uint32_t wanted = count * size.width;
  const uint32_t present = std::min(width - x0, wanted);
  const BlockSlices slices = slices_of(image.info, size, run.slice);
  for (uint32_t y = 0; y < size.row_count(); ++y) {
    const uint32_t z = std::min(y / size.height, slices.count - 1);
    const uint8_t* const from =
        image.row<uint8_t>(std::min(y0 + y % size.height, height - 1), slices.first + z) +
        x0 * sizeof(Stored);
    Stored* const to = chunk.row(y) + chunk.count * size.width;
    copy_texels(from, present, hdr_alpha, to);
    std::fill(to + present, to + wanted, to[present - 1]);
  }
  if (size.is_3d()) {
    std::fill_n(chunk.inside_z + chunk.count, count, static_cast<int32_t>(slices.count));
    chunk.has_edges = chunk.has_edges || slices.count < size.depth;
  }
  const uint32_t rows_inside = std::min<uint32_t>(size.height, height - y0);
  std::fill_n(chunk.inside_x + chunk.count, count, size.width);
  std::fill_n(chunk.inside_y + chunk.count, count, static_cast<int32_t>(rows_inside));
  std::iota(chunk.output + chunk.count, chunk.output + chunk.count + count, run.output);
  std::fill_n(chunk.error + chunk.count, count, kNoError);
  chunk.count += count;
  if (present < wanted) {
    chunk.inside_x[chunk.count - 1] = static_cast<int32_t>(size.width - (wanted - present));
  }
  chunk.has_edges = chunk.has_edges || present < wanted || rows_inside < size.height;
}

}  // namespace

void load_blocks(const ImageView& image, BlockSize size, const BlockRun& run, bool hdr_alpha,
                 ChunkBuffer<Rgba8Texels>& chunk) {
  load_run(image, size, run, hdr_alpha, chunk);
}

void load_blocks(const ImageView& image, BlockSize size, const BlockRun& run, bool hdr_alpha,
                 ChunkBuffer<LnsTexels>& chunk) {
  load_run(image, size, run, hdr_alpha, chunk);
}

}  // namespace tessera::astc
