#include "codec/distributed_codec.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/guarded.h"

namespace tessera {

using Clock = std::chrono::steady_clock;

struct DistributedCodec::Ledger {
  std::mutex mutex;
  std::vector<RankWork> ranks;
  mpi::Coordinator::Costs costs;

  void add_costs(const mpi::Coordinator::Costs& before, const mpi::Coordinator::Costs& after) {
    const std::lock_guard lock(mutex);
    costs.units += after.units - before.units;
    costs.messages += after.messages - before.messages;
    costs.control_seconds += after.control_seconds - before.control_seconds;
  }

  void add(int rank, uint64_t pixels, double seconds) {
    const std::lock_guard lock(mutex);
    RankWork& work = ranks[static_cast<size_t>(rank)];
    ++work.units;
    work.pixels += pixels;
    work.busy_seconds += seconds;
  }
};

namespace {

// Blocks of a strip a thread: tens of milliseconds of work at fast presets, so that a message's
// cost is nothing beside it.
constexpr size_t kBlocksPerThread = 32768;
// Of ranks with many threads, so that two or three strips on their way take no more memory than
// images do.
constexpr size_t kMostStripBytes = size_t{64} << 20;
// The least near the end.
constexpr size_t kLeastBlocksPerThread = 1024;
// An image's rest is cut into so many strips a lane at least.
constexpr size_t kStripsPerLane = 3;

TextureInfo texture_of(const TextureInfo& format, uint32_t width, uint32_t height) {
  TextureInfo info = format;
  info.width = width;
  info.height = height;
  return info;
}

// Of an image that is neither flat nor noise.
Status encode_pattern(const Encoder& encoder, uint32_t width, uint32_t height, Backend& backend,
                      const RunControl& control) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.channels = encoder.input_channels();
  info.sample = encoder.input_sample();
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(info));
  const size_t row_bytes = width * info.pixel_bytes();
  for (uint32_t y = 0; y < height && info.sample == SampleType::kU8; ++y) {
    for (size_t x = 0; x < row_bytes; ++x) {
      image.row<uint8_t>(y)[x] = static_cast<uint8_t>(x * 37 + y * y * 11);
    }
  }
  Bytes blocks(encoder.output_bytes(info));
  return encoder.encode(image.view(), backend, control, blocks);
}

}  // namespace

size_t strip_rows(const StripRequest& request) {
  const size_t threads = std::max(1U, request.threads / request.lanes);
  // No more than that: a row too much would be a chunk of its own in the encoder.
  const size_t most = std::max<size_t>(1, kBlocksPerThread * threads / request.blocks_across);
  const size_t least =
      std::min(most, divide_round_up(kLeastBlocksPerThread * threads, request.blocks_across));
  const size_t share = request.left * threads / (kStripsPerLane * request.all_threads);
  const size_t rows = std::min(std::clamp(share, least, most), request.left);
  const size_t others = request.all_threads - std::min(request.threads, request.all_threads);
  const bool ends_in_time =
      (request.held + rows) * others <= (request.left - rows) * request.threads;
  return request.held == 0 || ends_in_time ? rows : 0;
}

// One image on its way through all ranks.
class StripRun : public mpi::UnitSource {
 public:
  StripRun(const ImageView& image, const TextureInfo& format, mpi::Coordinator& coordinator,
           const StripOptions& options, DistributedCodec::Ledger& ledger, const RunControl& control,
           std::span<uint8_t> out)
      : image_(image),
        coordinator_(coordinator),
        options_(options),
        ledger_(ledger),
        control_(control),
        out_(out),
        block_height_(format.block.height),
        blocks_across_(divide_round_up(image.info.width, format.block.width)),
        rows_per_slice_(divide_round_up(image.info.height, block_height_)),
        row_bytes_(blocks_across_ * bytes_per_block(format.format)),
        row_count_(rows_per_slice_ * image.info.slices()),
        all_threads_(coordinator.total_threads()),
        in_hand_(static_cast<size_t>(coordinator.ranks())) {}

  // A strip of whole block rows within one slice.
  struct Strip {
    size_t begin = 0;  // block rows of all slices
    size_t end = 0;
    ImageView pixels;
  };

  std::optional<Strip> take_strip(int rank) {
    const std::lock_guard lock(mutex_);
    if (cancelled() && !error_) {
      error_ = Error{ErrorCode::kInterrupted, "interrupted"};
    }
    if (next_ == row_count_ || error_) {
      return std::nullopt;
    }
    const size_t wanted = options_.unit_rows > 0 ? options_.unit_rows : rows_for(rank);
    if (wanted == 0) {
      return std::nullopt;
    }
    Strip strip;
    strip.begin = next_;
    const size_t slice = next_ / rows_per_slice_;
    strip.end = std::min(next_ + wanted, (slice + 1) * rows_per_slice_);
    next_ = strip.end;
    in_hand_[static_cast<size_t>(rank)] += strip.end - strip.begin;
    ++under_way_;
    const auto first =
        static_cast<uint32_t>((strip.begin - slice * rows_per_slice_) * block_height_);
    const auto last = static_cast<uint32_t>(std::min<size_t>(
        (strip.end - slice * rows_per_slice_) * block_height_, image_.info.height));
    strip.pixels = image_;
    strip.pixels.data = image_.row<uint8_t>(first, static_cast<uint32_t>(slice));
    strip.pixels.info.height = last - first;
    strip.pixels.info.depth = 1;
    strip.pixels.info.layers = 1;
    return strip;
  }

  std::span<uint8_t> place_of(const Strip& strip) {
    return out_.subspan(strip.begin * row_bytes_, (strip.end - strip.begin) * row_bytes_);
  }

  // Padding between rows is sent along: rows start at multiples of 64 bytes, and one message from
  // where the pixels are is cheaper than any copy.
  static size_t message_bytes(const ImageView& pixels) {
    const ImageInfo& info = pixels.info;
    return (info.height - size_t{1}) * pixels.row_stride + info.width * info.pixel_bytes();
  }

  std::optional<mpi::Unit> take(int rank) override {
    if (!can_travel()) {
      return std::nullopt;
    }
    const auto strip = take_strip(rank);
    if (!strip) {
      return std::nullopt;
    }
    const ImageInfo& info = strip->pixels.info;
    mpi::Unit unit;
    unit.kind = kStripKind;
    unit.fields = {info.width,
                   info.height,
                   strip->pixels.row_stride,
                   info.channels | uint64_t{static_cast<uint8_t>(info.sample)} << 8,
                   0,
                   0};
    unit.input = {strip->pixels.data, message_bytes(strip->pixels)};
    unit.output = place_of(*strip);
    unit.output_bytes = unit.output.size();
    unit.done = [this, strip = *strip](const mpi::UnitOutcome& outcome) {
      Status status;
      if (!outcome.status) {
        status = Error{outcome.status.error().code, "rank " + std::to_string(outcome.rank) + ": " +
                                                        outcome.status.error().message};
      }
      finish(strip, outcome.rank, outcome.busy_seconds, status);
    };
    return unit;
  }

  void finish(const Strip& strip, int rank, double seconds, const Status& status) {
    if (status) {
      ledger_.add(rank, strip.pixels.info.pixel_count(), seconds);
    }
    const std::lock_guard lock(mutex_);
    --under_way_;
    in_hand_[static_cast<size_t>(rank)] -= strip.end - strip.begin;
    if (!status && !error_) {
      error_ = status.error();
    }
    if (status) {
      done_ += strip.end - strip.begin;
      if (control_.progress) {
        control_.progress(static_cast<double>(done_) / static_cast<double>(row_count_));
      }
    }
    ended_.notify_all();
  }

  // Until no other rank works on a strip. What they use must stay where it is, so an error waits
  // for them, too; but not for long.
  Status wait() {
    constexpr auto kPatience = std::chrono::seconds(2);
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return settled() || error_; });
    ended_.wait_for(lock, kPatience, [this] { return settled(); });
    return error_ ? Status(*error_) : Status();
  }

  // No other rank uses the image and the blocks, or will.
  bool is_settled() {
    const std::lock_guard lock(mutex_);
    return settled();
  }

 private:
  bool settled() const { return under_way_ == 0 && (next_ == row_count_ || error_); }

  bool cancelled() const {
    return control_.cancelled != nullptr && control_.cancelled->load(std::memory_order_relaxed);
  }

  size_t rows_for(int rank) const {
    const mpi::Greeting& greeting = coordinator_.greeting(rank);
    StripRequest request;
    request.left = row_count_ - next_;
    request.held = in_hand_[static_cast<size_t>(rank)];
    request.blocks_across = blocks_across_;
    request.threads = greeting.threads;
    request.lanes = greeting.lanes;
    request.all_threads = all_threads_;
    return std::min(rows_of_a_message(), strip_rows(request));
  }

  size_t rows_of_a_message() const {
    return std::max<size_t>(1, kMostStripBytes / (image_.row_stride * block_height_));
  }

  // A single block row of a gigabyte stays where it is.
  bool can_travel() const {
    const size_t rows = std::max<size_t>(1, options_.unit_rows);
    return rows * block_height_ * image_.row_stride <= mpi::kMaxMessageBytes;
  }

  const ImageView image_;
  mpi::Coordinator& coordinator_;
  const StripOptions options_;
  DistributedCodec::Ledger& ledger_;
  const RunControl& control_;
  const std::span<uint8_t> out_;
  const size_t block_height_;
  const size_t blocks_across_;
  const size_t rows_per_slice_;
  const size_t row_bytes_;
  const size_t row_count_;
  const unsigned all_threads_;

  std::mutex mutex_;  // guards what follows, and the progress
  std::condition_variable ended_;
  size_t next_ = 0;  // the first block row that nobody has taken
  size_t done_ = 0;
  size_t under_way_ = 0;
  std::vector<size_t> in_hand_;  // block rows, by rank
  std::optional<Error> error_;
};

class DistributedEncoder : public Encoder {
 public:
  DistributedEncoder(std::unique_ptr<Encoder> encoder, const TextureInfo& format,
                     mpi::Coordinator& coordinator, const StripOptions& options,
                     std::shared_ptr<DistributedCodec::Ledger> ledger)
      : encoder_(std::move(encoder)),
        format_(format),
        coordinator_(coordinator),
        options_(options),
        ledger_(std::move(ledger)) {}

  SampleType input_sample() const override { return encoder_->input_sample(); }
  uint32_t input_channels() const override { return encoder_->input_channels(); }
  bool keeps_alpha() const override { return encoder_->keeps_alpha(); }

  size_t output_bytes(const ImageInfo& image) const override {
    return encoder_->output_bytes(image);
  }

  Status encode(const ImageView& image, Backend& backend, const RunControl& control,
                std::span<uint8_t> out) const override {
    if (coordinator_.ranks() == 1 && options_.unit_rows == 0) {
      return encode_alone(image, backend, control, out);
    }
    StripRun run(image, format_, coordinator_, options_, *ledger_, control, out);
    const mpi::Coordinator::Costs costs = coordinator_.costs();
    coordinator_.add_source(run);
    // Other ranks work with what is here, so an exception must not leave: all ranks end.
    Status status = guarded([&] { return work_at(run, backend, control); });
    if (!run.is_settled()) {
      coordinator_.give_up(status.error());
    }
    coordinator_.remove_source(run);
    ledger_->add_costs(costs, coordinator_.costs());
    return status;
  }

 private:
  Status encode_alone(const ImageView& image, Backend& backend, const RunControl& control,
                      std::span<uint8_t> out) const {
    const auto start = Clock::now();
    Status status = encoder_->encode(image, backend, control, out);
    if (status) {
      ledger_->add(0, image.info.pixel_count(),
                   std::chrono::duration<double>(Clock::now() - start).count());
    }
    return status;
  }

  // Takes strips until there are none, and waits for those of others.
  Status work_at(StripRun& run, Backend& backend, const RunControl& control) const {
    const RunControl quiet = {{}, control.cancelled};
    while (const auto strip = run.take_strip(0)) {
      const auto start = Clock::now();
      const Status encoded = guarded(
          [&] { return encoder_->encode(strip->pixels, backend, quiet, run.place_of(*strip)); });
      run.finish(*strip, 0, std::chrono::duration<double>(Clock::now() - start).count(), encoded);
      coordinator_.look_soon();
    }
    const mpi::Coordinator::Waiting waiting(coordinator_);
    return run.wait();
  }

  std::unique_ptr<Encoder> encoder_;
  TextureInfo format_;
  mpi::Coordinator& coordinator_;
  StripOptions options_;
  std::shared_ptr<DistributedCodec::Ledger> ledger_;
};

DistributedCodec::DistributedCodec(const Codec& codec, mpi::Coordinator& coordinator,
                                   const StripOptions& options)
    : codec_(codec),
      coordinator_(coordinator),
      options_(options),
      ledger_(std::make_shared<Ledger>()) {
  ledger_->ranks.resize(static_cast<size_t>(coordinator.ranks()));
}

DistributedCodec::~DistributedCodec() = default;

Result<std::unique_ptr<Encoder>> DistributedCodec::make_encoder(
    const CodecSettings& settings) const {
  TESSERA_ASSIGN_OR_RETURN(auto encoder, codec_.make_encoder(settings));
  TextureInfo format;
  format.format = codec_.format();
  format.block = settings.block;
  return std::unique_ptr<Encoder>(std::make_unique<DistributedEncoder>(
      std::move(encoder), format, coordinator_, options_, ledger_));
}

Result<Image> DistributedCodec::decode_level(const TextureInfo& info, uint32_t level,
                                             ByteSpan payload, const DecodeOptions& options,
                                             Backend& backend, const RunControl& control) const {
  return codec_.decode_level(info, level, payload, options, backend, control);
}

std::vector<RankWork> DistributedCodec::work() const {
  const std::lock_guard lock(ledger_->mutex);
  return ledger_->ranks;
}

mpi::Coordinator::Costs DistributedCodec::costs() const {
  const std::lock_guard lock(ledger_->mutex);
  return ledger_->costs;
}

Result<StripShape> read_strip_shape(const mpi::UnitHeader& header, const Encoder& encoder,
                                    const TextureInfo& format) {
  const auto& [width, height, stride, pixel, unused0, unused1] = header.fields;
  const uint64_t expected =
      encoder.input_channels() | uint64_t{static_cast<uint8_t>(encoder.input_sample())} << 8;
  if (header.kind != kStripKind || unused0 != 0 || unused1 != 0) {
    return invalid_error("a rank was sent a unit of an unknown kind");
  }
  if (pixel != expected) {
    return invalid_error("a strip has pixels that the encoder does not take");
  }
  if (width == 0 || height == 0 || width > UINT32_MAX || height > UINT32_MAX) {
    return invalid_error("a strip of " + std::to_string(width) + "x" + std::to_string(height) +
                         " pixels cannot be");
  }
  const uint64_t row = width * encoder.input_channels() * sample_bytes(encoder.input_sample());
  const auto before_last = checked_multiply(height - 1, stride);
  if (stride < row || !before_last || *before_last > mpi::kMaxMessageBytes ||
      *before_last + row != header.input_bytes) {
    return invalid_error("a strip of " + std::to_string(width) + "x" + std::to_string(height) +
                         " pixels does not have " + std::to_string(header.input_bytes) + " bytes");
  }
  TESSERA_ASSIGN_OR_RETURN(
      const uint64_t payload,
      level_bytes(texture_of(format, static_cast<uint32_t>(width), static_cast<uint32_t>(height)),
                  0));
  if (payload != header.output_bytes) {
    return invalid_error("a strip of " + std::to_string(width) + "x" + std::to_string(height) +
                         " pixels does not become " + std::to_string(header.output_bytes) +
                         " bytes");
  }
  return StripShape{static_cast<uint32_t>(width), static_cast<uint32_t>(height), stride};
}

void warm_up(const Encoder& encoder, Backend& backend, const RunControl& control) {
  constexpr uint32_t kLeastSide = 32;  // pixels: some blocks of any size
  constexpr uint32_t kMostSide = 512;
  constexpr auto kEnough = std::chrono::milliseconds(2);
  for (uint32_t side = kLeastSide; side <= kMostSide; side *= 2) {
    const auto start = Clock::now();
    if (!encode_pattern(encoder, side, side * backend.thread_count(), backend, control) ||
        Clock::now() - start > kEnough) {
      return;
    }
  }
}

Status encode_strip(const mpi::UnitHeader& header, ByteSpan input, const Encoder& encoder,
                    const TextureInfo& format, Backend& backend, const RunControl& control,
                    Bytes& output) {
  TESSERA_ASSIGN_OR_RETURN(const StripShape shape, read_strip_shape(header, encoder, format));
  ImageView pixels;
  pixels.data = input.data();
  pixels.info.width = shape.width;
  pixels.info.height = shape.height;
  pixels.info.channels = encoder.input_channels();
  pixels.info.sample = encoder.input_sample();
  pixels.row_stride = shape.row_stride;
  pixels.slice_stride = input.size();
  output.resize(header.output_bytes);
  return encoder.encode(pixels, backend, control, output);
}

}  // namespace tessera
