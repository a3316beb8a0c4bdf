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

// Blocks that turn out hard go on to the next level, which spends more on them.
inline constexpr unsigned kMaxLevels = 4;

struct EncodeScratch::Buffers {
  std::array<Chunk, kMaxLevels> chunks;
  Items items;
};

EncodeScratch::EncodeScratch() : buffers_(std::make_unique_for_overwrite<Buffers>()) {}
EncodeScratch::~EncodeScratch() = default;
EncodeScratch::EncodeScratch(EncodeScratch&&) noexcept = default;
EncodeScratch& EncodeScratch::operator=(EncodeScratch&&) noexcept = default;

namespace {

// Blocks of one colour are stored exactly.
void write_constant_blocks(Chunk& chunk, BlockSize size, uint8_t* out) {
  for (size_t i = 0; i < chunk.count; ++i) {
    if (chunk.choice(0)[i] != kConstantBlock) {
      continue;
    }
    std::array<uint8_t, 4> rgba;
    std::memcpy(rgba.data(), chunk.row(0) + i * size.x, 4);
    std::array<uint16_t, 4> color;
    for (unsigned k = 0; k < 4; ++k) {
      color[k] = static_cast<uint16_t>(rgba[k] * 257);
    }
    store_block(constant_block(color, false), out + size_t{chunk.output[i]} * kBlockBytes);
    chunk.error[i] = 0;
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

// Encodes blocks level by level.
class BlockEncoder {
 public:
  // Of `expected` blocks, which are added one run after the other.
  BlockEncoder(BlockSize size, const EncodeSettings& settings, size_t expected,
               EncodeScratch::Buffers& buffers, uint8_t* out)
      : table_(candidate_table(size)), size_(size), buffers_(buffers), out_(out) {
    levels_[0] = settings;
    while (levels_[level_count_ - 1].hard_error > 0 && level_count_ < kMaxLevels) {
      levels_[level_count_] = harder_settings(levels_[level_count_ - 1], size);
      ++level_count_;
    }
    buffers_.chunks[0].start(size, settings.fits, expected);
    for (unsigned level = 1; level < level_count_; ++level) {
      buffers_.chunks[level].start(size, levels_[level].fits);
    }
  }

  // At most `room()` blocks.
  void add(const ImageView& image, const BlockRun& run) {
    load_blocks(image, size_, run, buffers_.chunks[0]);
    if (buffers_.chunks[0].is_full()) {
      encode_level(0);
    }
  }
  size_t room() const { return buffers_.chunks[0].capacity - buffers_.chunks[0].count; }

  void finish() {
    for (unsigned level = 0; level < level_count_; ++level) {
      encode_level(level);
    }
  }

 private:
  // Squared error of a texel, for a mean one of a channel.
  static float texel_error(float channel_error, const EncodeSettings& settings) {
    const auto& w = settings.channel_weights;
    return channel_error * (w[0] + w[1] + w[2]);
  }

  void encode_level(unsigned level) {
    Chunk& chunk = buffers_.chunks[level];
    if (chunk.count == 0) {
      return;
    }
    const EncodeSettings& settings = levels_[level];
    encode_chunk(settings, chunk);
    const float limit = texel_error(settings.hard_error, settings);
    for (size_t block = 0; level + 1 < level_count_ && block < chunk.count; ++block) {
      if (is_hard(chunk, block, limit)) {
        Chunk& next = buffers_.chunks[level + 1];
        next.append(chunk, block, size_);
        if (next.is_full()) {
          encode_level(level + 1);
        }
      }
    }
    chunk.clear();
  }

  // More search finds little in noise, of which much is lost whatever is tried; and blocks with
  // alpha are searched for longer anyway.
  static bool is_hard(const Chunk& chunk, size_t block, float limit) {
    constexpr float kLostOfNoise = 0.16F;
    const auto energy = [&](unsigned channel) {
      return chunk.covariance[channel * (channel + 3) / 2][block];
    };
    const float all = energy(0) + energy(1) + energy(2);
    return chunk.error[block] > limit * chunk.texels_inside(block) &&
           chunk.error[block] < all * kLostOfNoise && energy(3) == 0;
  }

  void encode_chunk(const EncodeSettings& settings, Chunk& chunk) {
    Items& items = buffers_.items;
    rank_single(table_, size_, settings, chunk);
    write_constant_blocks(chunk, size_, out_);
    if (settings.small_error > 0) {
      finish_easy_blocks(settings, chunk);
    }
    if (settings.partition_search != PartitionSearch::kOff) {
      rank_partitions(table_, size_, settings, chunk);
    }
    items.collect(table_, chunk, settings.fits, kNoError);
    if (settings.fits > settings.refined) {
      fit_all(first_fit(settings, nullptr), chunk, items);
      items.keep_best(chunk, settings.refined, texel_error(settings.small_error, settings));
    }
    const bool has_choice = settings.refined > 1 || settings.refine_passes > 1 ||
                            settings.small_error > 0 || settings.hard_error > 0;
    const FitContext last = {table_,
                             size_,
                             settings,
                             root_weights(settings),
                             settings.refine_passes,
                             settings.weight_sweeps,
                             settings.endpoint_sweeps,
                             has_choice,
                             settings.refine_passes > 1,
                             out_};
    fit_all(last, chunk, items);
  }

  FitContext first_fit(const EncodeSettings& settings, uint8_t* out) const {
    return {table_, size_, settings, root_weights(settings), settings.fit_passes, 0, 0,
            true,   false, out};
  }

  // Writes the blocks whose most likely mode turns out good enough, and takes them off the list.
  void finish_easy_blocks(const EncodeSettings& settings, Chunk& chunk) {
    const float small = texel_error(settings.small_error, settings);
    constexpr float kDoubt = 1.5F;  // most estimates are nearer to the error than that
    const float whole_block = small * static_cast<float>(size_.texel_count());
    buffers_.items.collect(table_, chunk, 1, whole_block * kDoubt + 1);
    fit_all(first_fit(settings, out_), chunk, buffers_.items);
    for (size_t block = 0; block < chunk.count; ++block) {
      const bool is_done = chunk.error[block] <= small * chunk.texels_inside(block);
      for (unsigned i = 0; is_done && i < settings.fits; ++i) {
        chunk.choice(i)[block] = kConstantBlock;
      }
    }
  }

  const CandidateTable& table_;
  BlockSize size_;
  EncodeScratch::Buffers& buffers_;
  uint8_t* out_;
  std::array<EncodeSettings, kMaxLevels> levels_;
  unsigned level_count_ = 1;
};

}  // namespace

void prepare_tables(BlockSize size, const EncodeSettings& settings) {
  candidate_table(size);
  for (unsigned partitions = 2; partitions <= kMaxPartitions; ++partitions) {
    if (settings.partition_search != PartitionSearch::kOff &&
        settings.partitions[partitions - 2].kept > 0) {
      pattern_table(size, partitions);
    }
  }
  if (settings.hard_error > 0) {
    prepare_tables(size, harder_settings(settings, size));
  }
  if (settings.partition_search == PartitionSearch::kTable) {
    patterns_nearest_to_groups_4x4();
  }
  color_codes();
  color_codes_in_half();
  color_codes_in_quarter();
  color_steps();
  trit_codes();
  quint_codes();
}

void encode_rows(const ImageView& image, BlockSize size, uint32_t slice, uint32_t first_block_row,
                 uint32_t end_block_row, const EncodeSettings& settings, EncodeScratch& scratch,
                 std::span<uint8_t> out) {
  const auto across = static_cast<uint32_t>(divide_round_up(image.info.width, size.x));
  const size_t expected = size_t{across} * (end_block_row - first_block_row);
  BlockEncoder encoder(size, settings, expected, scratch.buffers(), out.data());
  for (uint32_t row = first_block_row; row < end_block_row; ++row) {
    for (uint32_t first = 0; first < across;) {
      const uint32_t end =
          first + static_cast<uint32_t>(std::min<size_t>(across - first, encoder.room()));
      encoder.add(image, {slice, row, first, end, (row - first_block_row) * across + first});
      first = end;
    }
  }
  encoder.finish();
}

}  // namespace tessera::astc
