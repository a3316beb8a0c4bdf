// Stage 1: copies rows of texels. Blocks that reach over the edge are completed by repeating
// the last row and column; later stages give the copies no weight.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "astc/encode/stages.h"

namespace tessera::astc {

void load_blocks(const ImageView& image, BlockSize size, const BlockRun& run,
                 ChunkBuffer<Rgba8Texels>& chunk) {
  using Stored = Rgba8Texels::Stored;
  const uint32_t width = image.info.width, height = image.info.height;
  const uint32_t x0 = run.first * size.width, y0 = run.row * size.height;
  const uint32_t count = run.end - run.first;
  const uint32_t wanted = count * size.width;
  const uint32_t present = std::min(width - x0, wanted);
  for (uint32_t y = 0; y < size.height; ++y) {
    const Stored* from = image.row<Stored>(std::min(y0 + y, height - 1), run.slice) + x0;
    Stored* const to = chunk.row(y) + chunk.count * size.width;
    std::memcpy(to, from, present * sizeof(Stored));
    std::fill(to + present, to + wanted, from[present - 1]);
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

}  // namespace tessera::astc
