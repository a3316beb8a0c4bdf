// Leads chunks of blocks through the stages, and hard ones on to more effort.
#include "astc/encode/encode_rows.h"

#include <algorithm>
#include <array>
#include <bit>

#include "astc/encode/chunk.h"
#include "astc/encode/effort_plan.h"
#include "astc/encode/encode_tables.h"
#include "astc/encode/encoder_scope.h"
#include "astc/encode/fit_jobs.h"
#include "astc/encode/known_blocks.h"
#include "astc/encode/stages.h"
#include "astc/format/block128.h"
#include "base/bytes.h"
#include "base/for_overwrite.h"

namespace tessera::astc {

static_assert(kMostSamples <= kMaxFitJobs / kMaxFits);

template <class Texels>
struct EncodeScratch::Buffers {
  std::array<ChunkBuffer<Texels>, kMaxEfforts> chunks;
  ChunkFindings findings;
  KnownBlocks known;
  FitJobs jobs;
  std::array<uint8_t, kMostSamples * kBlockBytes> sampled;  // blocks that nobody reads
};

EncodeScratch::EncodeScratch() : buffers_(make_unique_for_overwrite<Buffers<Rgba8Texels>>()) {}
EncodeScratch::~EncodeScratch() = default;
EncodeScratch::EncodeScratch(EncodeScratch&&) noexcept = default;
EncodeScratch& EncodeScratch::operator=(EncodeScratch&&) noexcept = default;

template <>
EncodeScratch::Buffers<Rgba8Texels>& EncodeScratch::buffers() {
  return *buffers_;
}

template <>
EncodeScratch::Buffers<LnsTexels>& EncodeScratch::buffers() {
  if (hdr_buffers_ == nullptr) {
    hdr_buffers_ = make_unique_for_overwrite<Buffers<LnsTexels>>();
  }
  return *hdr_buffers_;
}

namespace {

void fit_all(const FitContext& context, ChunkBuffer<Rgba8Texels>& chunk, FitJobs& jobs) {
  fit_luminance(context, chunk, jobs);
  fit_luminance_alpha(context, chunk, jobs);
  fit_rgb(context, chunk, jobs);
  fit_rgba(context, chunk, jobs);
}

[[maybe_unused]] void fit_all(const FitContext& context, ChunkBuffer<LnsTexels>& chunk,
                              FitJobs& jobs) {
  fit_hdr_opaque(context, chunk, jobs);
  fit_hdr_alpha(context, chunk, jobs);
}

// How many of `expected` blocks make a chunk. Long chunks have more blocks of equal work to fill
// vectors with. But a small picture with few fits for each block takes less time in short ones:
// fewer pages of memory are touched for the first time, and more stays in the processor's caches.
size_t blocks_at_once(BlockSize size, unsigned fits, size_t expected) {
  constexpr size_t kFewest = 1024, kFew = 2048, kQuickTexels = 64 * 1024;
  size_t most = kMaxChunkBlocks;
  if (expected <= 3 * kMaxChunkBlocks) {
    most = fits == 1 ? std::clamp<size_t>(kQuickTexels / size.texel_count(), kFewest, kFew)
                     : std::min(kFew << (std::bit_width(fits) - 1), kMaxChunkBlocks);
  }
  const uint64_t chunks = std::max<uint64_t>(1, divide_round_up(expected, most));
  return static_cast<size_t>(divide_round_up(expected, chunks));
}

// Encodes blocks effort by effort. Texels are as they lie in an image of four 8-bit channels, or
// half floats on the logarithmic scale.
template <class ImageTexels>
class BlockEncoder {
 public:
  using ImageChunk = ChunkBuffer<ImageTexels>;
  using Buffers = EncodeScratch::Buffers<ImageTexels>;

  // Of `expected` blocks, which are added one run after the other. `reuses_blocks`: those that
  // repeat are encoded once.
  BlockEncoder(const EncodeTables& tables, const EncodeSettings& settings,
               const PictureFacts& facts, size_t expected, bool reuses_blocks, Buffers& buffers,
               uint8_t* out)
      : size_(tables.size),
        facts_(facts),
        efforts_(settings, size_),
        reuses_blocks_(reuses_blocks),
        buffers_(buffers),
        out_(out) {
    tables_[0] = &tables;
    buffers_.known.start();
    buffers_.chunks[0].start(size_, settings.fits, blocks_at_once(size_, settings.fits, expected));
    for (unsigned effort = 1; effort < efforts_.count(); ++effort) {
      buffers_.chunks[effort].start(size_, efforts_[effort].fits);
    }
  }

  // At most `room()` blocks.
  void add(const ImageView& image, const BlockRun& run) {
    if (buffers_.chunks[0].is_full()) {
      encode_at(0);
    }
    ImageChunk& chunk = buffers_.chunks[0];
    const size_t first = chunk.count;
    load_blocks(image, size_, run, efforts_[0].hdr_alpha, chunk);
    buffers_.known.take(size_, first, reuses_blocks_, efforts_[0], chunk, out_);
  }
  size_t room() const {
    const ImageChunk& chunk = buffers_.chunks[0];
    return chunk.is_full() ? chunk.capacity() : chunk.capacity() - chunk.count;
  }

  void finish() {
    for (unsigned effort = 0; effort < efforts_.count(); ++effort) {
      encode_at(effort);
    }
    buffers_.known.write_repeated_blocks(out_);
  }

  // Squared error of a texel that the first effort leaves, in the mean of the blocks added.
  float mean_error() {
    ImageChunk& chunk = buffers_.chunks[0];
    encode_chunk(*tables_[0], efforts_[0], chunk);
    double error = 0, texels = double{buffers_.known.constant_texels()};
    for (size_t block = 0; block < chunk.count; ++block) {
      error += double{chunk.error[block]};
      texels += double{chunk.texels_inside(block)};
    }
    return static_cast<float>(error / std::max(texels, 1.0));
  }

 private:
  bool is_hard(const HardRule& rule, const ImageChunk& chunk, size_t block) const {
    const float error = chunk.error[block], texels = chunk.texels_inside(block);
    return rule.is_hard_with_alpha(error, texels) &&
           (rule.is_hard(error, texels) || !chunk.all_texels(block, size_, ImageTexels::is_opaque));
  }

  void encode_at(unsigned effort) {
    ImageChunk& chunk = buffers_.chunks[effort];
    if (chunk.count == 0) {
      return;
    }
    const EncodeSettings& settings = efforts_[effort];
    encode_chunk(tables_of(effort), settings, chunk);
    const HardRule rule(efforts_, effort, facts_, size_);
    for (size_t block = 0; effort + 1 < efforts_.count() && block < chunk.count; ++block) {
      if (is_hard(rule, chunk, block)) {
        const unsigned next = effort + rule.steps(chunk.error[block], chunk.texels_inside(block));
        buffers_.chunks[next].append(chunk, block, size_);
        if (buffers_.chunks[next].is_full()) {
          encode_at(next);
        }
      }
    }
    chunk.clear();
    if (effort == 0) {
      buffers_.known.forget_chunk();
    }
  }

  const EncodeTables& tables_of(unsigned effort) {
    if (tables_[effort] == nullptr) {
      tables_[effort] = &encode_tables(size_, TableNeeds::of(efforts_[effort], size_));
    }
    return *tables_[effort];
  }

  void encode_chunk(const EncodeTables& tables, const EncodeSettings& settings, ImageChunk& chunk) {
    FitJobs& jobs = buffers_.jobs;
    buffers_.findings.lend_to(chunk, settings.fits);
    const size_t promising = rank_one_plane(tables, settings, chunk);
    if (settings.dual_plane) {
      rank_two_planes(tables, settings, promising, chunk);
    }
    const float small = small_error(settings, facts_);
    if (small > 0) {
      finish_easy_blocks(tables, settings, small, chunk);
    }
    if (settings.partition_search != PartitionSearch::kOff) {
      rank_partitions(tables, settings, chunk);
    }
    jobs.collect(tables, chunk, settings.fits, FitJobs::kNoLimit);
    if (settings.fits > settings.refined) {
      fit_all(first_fit(tables, settings, nullptr), chunk, jobs);
      keep_best(chunk, settings.fits, settings.refined, small);
      jobs.collect(tables, chunk, settings.refined, FitJobs::kNoLimit);
    }
    const bool has_choice = settings.refined > 1 || settings.refine_passes > 1 ||
                            settings.small_error > 0 || settings.hard_factor > 0;
    const FitContext last = {tables,
                             size_,
                             settings,
                             root_weights(settings),
                             settings.refine_passes,
                             settings.weight_sweeps,
                             settings.endpoint_moves,
                             has_choice,
                             settings.refine_passes > 1,
                             out_};
    fit_all(last, chunk, jobs);
  }

  FitContext first_fit(const EncodeTables& tables, const EncodeSettings& settings,
                       uint8_t* out) const {
    return {tables, size_, settings, root_weights(settings), settings.fit_passes, 0, 0,
            true,   false, out};
  }

  // Writes the blocks whose most likely mode turns out good enough, and takes them off the list.
  void finish_easy_blocks(const EncodeTables& tables, const EncodeSettings& settings, float small,
                          ImageChunk& chunk) {
    buffers_.jobs.collect(tables, chunk, 1, easy_limit(small, size_));
    fit_all(first_fit(tables, settings, out_), chunk, buffers_.jobs);
    for (size_t block = 0; block < chunk.count; ++block) {
      const bool is_done = chunk.error[block] <= small * chunk.texels_inside(block);
      for (unsigned i = 0; is_done && i < settings.fits; ++i) {
        chunk.configuration(i)[block] = kNoConfiguration;
      }
    }
  }

  BlockSize size_;
  PictureFacts facts_;
  EffortPlan efforts_;
  bool reuses_blocks_;
  Buffers& buffers_;
  uint8_t* out_;
  std::array<const EncodeTables*, kMaxEfforts> tables_{};  // null: not needed yet
};

// The blocks of the sample in a picture.
class SampleOfPicture {
 public:
  SampleOfPicture(const ImageView& image, BlockSize size, const EncodeSettings& settings)
      : image_(image),
        across_(divide_round_up(image.info.width, size.width)),
        down_(divide_round_up(image.info.height, size.height)),
        blocks_({across_, down_, divide_round_up(image.info.depth, size.depth) * image.info.layers},
                settings) {}

  size_t size() const { return static_cast<size_t>(blocks_.count()); }
  // A picture with the block, and the block's place in it.
  const ImageView& image(size_t /*i*/) const { return image_; }
  BlockRun place(size_t i) const {
    const uint64_t block = blocks_[i];
    const auto x = static_cast<uint32_t>(block % across_);
    return {static_cast<uint32_t>(block / across_ / down_),
            static_cast<uint32_t>(block / across_ % down_), x, x + 1, static_cast<uint32_t>(i)};
  }

 private:
  const ImageView& image_;
  uint64_t across_;
  uint64_t down_;
  SampledBlocks blocks_;
};

// The same blocks, each by itself.
class SampleByBlocks {
 public:
  explicit SampleByBlocks(std::span<const ImageView> blocks) : blocks_(blocks) {}

  size_t size() const { return blocks_.size(); }
  const ImageView& image(size_t i) const { return blocks_[i]; }
  static BlockRun place(size_t i) { return {0, 0, 0, 1, static_cast<uint32_t>(i)}; }

 private:
  std::span<const ImageView> blocks_;
};

template <class Texels, class Sample>
PictureFacts look_at_texels(const EncodeTables& tables, const Sample& sample,
                            const EncodeSettings& settings, EncodeScratch& scratch) {
  auto& buffers = scratch.buffers<Texels>();
  BlockEncoder<Texels> encoder(tables, sample_settings(settings), {}, sample.size(), false, buffers,
                               buffers.sampled.data());
  for (size_t i = 0; i < sample.size(); ++i) {
    encoder.add(sample.image(i), sample.place(i));
  }
  return {encoder.mean_error()};
}

template <class Sample>
PictureFacts look_at(const EncodeTables& tables, const Sample& sample,
                     const EncodeSettings& settings, EncodeScratch& scratch) {
  if constexpr (kEncodesAll) {
    if (settings.decode_mode == DecodeMode::kHdr) {
      return look_at_texels<LnsTexels>(tables, sample, settings, scratch);
    }
  }
  return look_at_texels<Rgba8Texels>(tables, sample, settings, scratch);
}

template <class Texels>
void encode_rows_of(const EncodeTables& tables, const ImageView& image, uint32_t slice,
                    uint32_t first_block_row, uint32_t end_block_row,
                    const EncodeSettings& settings, const PictureFacts& facts,
                    EncodeScratch& scratch, std::span<uint8_t> out) {
  const auto across = static_cast<uint32_t>(divide_round_up(image.info.width, tables.size.width));
  const size_t expected = size_t{across} * (end_block_row - first_block_row);
  BlockEncoder<Texels> encoder(tables, settings, facts, expected, true, scratch.buffers<Texels>(),
                               out.data());
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

}  // namespace

bool can_encode(BlockSize size, DecodeMode mode) {
  return kEncodesAll || (!size.is_3d() && mode != DecodeMode::kHdr);
}

bool can_search(PartitionSearch search) {
  return kEncodesAll || search == PartitionSearch::kOff || search == PartitionSearch::kMoments;
}

void prepare_tables(BlockSize size, const EncodeSettings& settings) {
  const EffortPlan efforts(settings, size);
  for (unsigned i = 0; i < efforts.count(); ++i) {
    encode_tables(size, TableNeeds::of(efforts[i], size));
  }
}

PictureFacts look_at_picture(const EncodeTables& tables, const ImageView& image,
                             const EncodeSettings& settings, EncodeScratch& scratch) {
  if (!need_facts(settings)) {
    return {};
  }
  return look_at(tables, SampleOfPicture(image, tables.size, settings), settings, scratch);
}

PictureFacts look_at_picture(const ImageView& image, BlockSize size, const EncodeSettings& settings,
                             EncodeScratch& scratch) {
  return look_at_picture(encode_tables(size, TableNeeds::of(settings, size)), image, settings,
                         scratch);
}

std::vector<BlockPlace> sampled_blocks(const ImageInfo& image, BlockSize size,
                                       const EncodeSettings& settings) {
  const ImageView picture = {nullptr, image};
  const SampleOfPicture sample(picture, size, settings);
  std::vector<BlockPlace> places;
  for (size_t i = 0; i < sample.size(); ++i) {
    const BlockRun place = sample.place(i);
    places.push_back({place.first, place.row});
  }
  return places;
}

PictureFacts look_at_blocks(std::span<const ImageView> blocks, BlockSize size,
                            const EncodeSettings& settings, EncodeScratch& scratch) {
  return look_at(encode_tables(size, TableNeeds::of(settings, size)), SampleByBlocks(blocks),
                 settings, scratch);
}

void encode_rows(const EncodeTables& tables, const ImageView& image, uint32_t slice,
                 uint32_t first_block_row, uint32_t end_block_row, const EncodeSettings& settings,
                 const PictureFacts& facts, EncodeScratch& scratch, std::span<uint8_t> out) {
  auto* encode = encode_rows_of<Rgba8Texels>;
  if constexpr (kEncodesAll) {
    encode = settings.decode_mode == DecodeMode::kHdr ? encode_rows_of<LnsTexels> : encode;
  }
  encode(tables, image, slice, first_block_row, end_block_row, settings, facts, scratch, out);
}

void encode_rows(const ImageView& image, BlockSize size, uint32_t slice, uint32_t first_block_row,
                 uint32_t end_block_row, const EncodeSettings& settings, const PictureFacts& facts,
                 EncodeScratch& scratch, std::span<uint8_t> out) {
  encode_rows(encode_tables(size, TableNeeds::of(settings, size)), image, slice, first_block_row,
              end_block_row, settings, facts, scratch, out);
}

}  // namespace tessera::astc
