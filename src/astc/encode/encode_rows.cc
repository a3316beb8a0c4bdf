// Leads chunks of blocks through the stages, and hard ones on to more effort.
#include "astc/encode/encode_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "astc/encode/chunk.h"
#include "astc/encode/encode_tables.h"
#include "astc/encode/fit_jobs.h"
#include "astc/encode/stages.h"
#include "astc/format/block128.h"
#include "astc/format/void_extent.h"
#include "base/bytes.h"

namespace tessera::astc {

// Texels as they lie in an image of four 8-bit channels.
using ImageTexels = Rgba8Texels;
using ImageChunk = TexelChunk<ImageTexels>;

struct EncodeScratch::Buffers {
  std::array<ImageChunk, kMaxEfforts> chunks;
  FitJobs jobs;
};

EncodeScratch::EncodeScratch() : buffers_(std::make_unique_for_overwrite<Buffers>()) {}
EncodeScratch::~EncodeScratch() = default;
EncodeScratch::EncodeScratch(EncodeScratch&&) noexcept = default;
EncodeScratch& EncodeScratch::operator=(EncodeScratch&&) noexcept = default;

namespace {

// Blocks of one colour are stored exactly.
void write_constant_blocks(ImageChunk& chunk, BlockSize size, uint8_t* out) {
  for (size_t i = 0; i < chunk.count; ++i) {
    if (chunk.configuration(0)[i] != kNoConfiguration) {
      continue;
    }
    const auto color = ImageTexels::constant_color(chunk.row(0)[i * size.width]);
    store_block(constant_block(color, false), out + size_t{chunk.output[i]} * kBlockBytes);
    chunk.error[i] = 0;
  }
}

void fit_all(const FitContext& context, ImageChunk& chunk, FitJobs& jobs) {
  fit_luminance(context, chunk, jobs);
  fit_luminance_alpha(context, chunk, jobs);
  fit_rgb(context, chunk, jobs);
  fit_rgba(context, chunk, jobs);
}

std::array<float, 4> root_weights(const EncodeSettings& settings) {
  std::array<float, 4> roots;
  for (unsigned i = 0; i < 4; ++i) {
    // Rounded as IEEE asks, so the same everywhere.
    roots[i] = std::sqrt(settings.channel_weights[i]);
  }
  return roots;
}

// Encodes blocks effort by effort.
class BlockEncoder {
 public:
  // Of `expected` blocks, which are added one run after the other.
  BlockEncoder(const EncodeTables& tables, const EncodeSettings& settings, size_t expected,
               EncodeScratch::Buffers& buffers, uint8_t* out)
      : tables_(tables), size_(tables.size), buffers_(buffers), out_(out) {
    efforts_[0] = settings;
    while (efforts_[effort_count_ - 1].hard_error > 0 && effort_count_ < kMaxEfforts) {
      efforts_[effort_count_] = harder_settings(efforts_[effort_count_ - 1], size_);
      ++effort_count_;
    }
    buffers_.chunks[0].start(size_, settings.fits, expected);
    for (unsigned effort = 1; effort < effort_count_; ++effort) {
      buffers_.chunks[effort].start(size_, efforts_[effort].fits);
    }
  }

  // At most `room()` blocks.
  void add(const ImageView& image, const BlockRun& run) {
    load_blocks(image, size_, run, buffers_.chunks[0]);
    if (buffers_.chunks[0].is_full()) {
      encode_at(0);
    }
  }
  size_t room() const { return buffers_.chunks[0].capacity - buffers_.chunks[0].count; }

  void finish() {
    for (unsigned effort = 0; effort < effort_count_; ++effort) {
      encode_at(effort);
    }
  }

 private:
  // Squared error of a texel, for a mean one of a channel.
  static float texel_error(float channel_error, const EncodeSettings& settings) {
    const auto& w = settings.channel_weights;
    return channel_error * (w[0] + w[1] + w[2]);
  }

  void encode_at(unsigned effort) {
    ImageChunk& chunk = buffers_.chunks[effort];
    if (chunk.count == 0) {
      return;
    }
    const EncodeSettings& settings = efforts_[effort];
    encode_chunk(settings, chunk);
    const float limit = texel_error(settings.hard_error, settings);
    for (size_t block = 0; effort + 1 < effort_count_ && block < chunk.count; ++block) {
      if (is_hard(chunk, block, limit)) {
        ImageChunk& next = buffers_.chunks[effort + 1];
        next.append(chunk, block, size_);
        if (next.is_full()) {
          encode_at(effort + 1);
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

  void encode_chunk(const EncodeSettings& settings, ImageChunk& chunk) {
    FitJobs& jobs = buffers_.jobs;
    rank_single(tables_, settings, chunk);
    write_constant_blocks(chunk, size_, out_);
    if (settings.small_error > 0) {
      finish_easy_blocks(settings, chunk);
    }
    if (settings.partition_search != PartitionSearch::kOff) {
      rank_partitions(tables_, settings, chunk);
    }
    jobs.collect(tables_, chunk, settings.fits, kNoError);
    if (settings.fits > settings.refined) {
      fit_all(first_fit(settings, nullptr), chunk, jobs);
      jobs.keep_best(chunk, settings.refined, texel_error(settings.small_error, settings));
    }
    const bool has_choice = settings.refined > 1 || settings.refine_passes > 1 ||
                            settings.small_error > 0 || settings.hard_error > 0;
    const FitContext last = {tables_,
                             size_,
                             settings,
                             root_weights(settings),
                             settings.refine_passes,
                             settings.weight_sweeps,
                             settings.endpoint_sweeps,
                             has_choice,
                             settings.refine_passes > 1,
                             out_};
    fit_all(last, chunk, jobs);
  }

  FitContext first_fit(const EncodeSettings& settings, uint8_t* out) const {
    return {tables_, size_, settings, root_weights(settings), settings.fit_passes, 0, 0,
            true,    false, out};
  }

  // Writes the blocks whose most likely mode turns out good enough, and takes them off the list.
  void finish_easy_blocks(const EncodeSettings& settings, ImageChunk& chunk) {
    const float small = texel_error(settings.small_error, settings);
    constexpr float kDoubt = 1.5F;  // most estimates are nearer to the error than that
    const float whole_block = small * static_cast<float>(size_.texel_count());
    buffers_.jobs.collect(tables_, chunk, 1, whole_block * kDoubt + 1);
    fit_all(first_fit(settings, out_), chunk, buffers_.jobs);
    for (size_t block = 0; block < chunk.count; ++block) {
      const bool is_done = chunk.error[block] <= small * chunk.texels_inside(block);
      for (unsigned i = 0; is_done && i < settings.fits; ++i) {
        chunk.configuration(i)[block] = kNoConfiguration;
      }
    }
  }

  const EncodeTables& tables_;
  BlockSize size_;
  EncodeScratch::Buffers& buffers_;
  uint8_t* out_;
  std::array<EncodeSettings, kMaxEfforts> efforts_;
  unsigned effort_count_ = 1;
};

}  // namespace

void prepare_tables(BlockSize size, const EncodeSettings& settings) {
  encode_tables(size, TableNeeds::of(settings, size));
}

void encode_rows(const EncodeTables& tables, const ImageView& image, uint32_t slice,
                 uint32_t first_block_row, uint32_t end_block_row, const EncodeSettings& settings,
                 EncodeScratch& scratch, std::span<uint8_t> out) {
  const auto across = static_cast<uint32_t>(divide_round_up(image.info.width, tables.size.width));
  const size_t expected = size_t{across} * (end_block_row - first_block_row);
  BlockEncoder encoder(tables, settings, expected, scratch.buffers(), out.data());
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

void encode_rows(const ImageView& image, BlockSize size, uint32_t slice, uint32_t first_block_row,
                 uint32_t end_block_row, const EncodeSettings& settings, EncodeScratch& scratch,
                 std::span<uint8_t> out) {
  encode_rows(encode_tables(size, TableNeeds::of(settings, size)), image, slice, first_block_row,
              end_block_row, settings, scratch, out);
}

}  // namespace tessera::astc
