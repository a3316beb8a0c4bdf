// One image on its way through all ranks: rank 0 cuts it into strips of whole block rows.
#include "cluster/strip_run.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "cluster/strip_unit.h"

namespace tessera::cluster {
namespace {

// Blocks of a strip for each thread: tens of milliseconds of work at fast presets, so that the cost
// of a message does not matter.
constexpr size_t kBlocksPerThread = 32768;
// Bytes of pixels in a strip, at most: the two or three strips that a rank with many threads has
// must not take more memory than an image.
constexpr size_t kMostStripBytes = size_t{64} << 20;
// Blocks of a strip for each thread near the end of an image, at least.
constexpr size_t kLeastBlocksPerThread = 1024;
// The rest of an image is cut into at least this many strips for each worker.
constexpr size_t kStripsPerWorker = 3;

}  // namespace

size_t strip_rows(const StripRequest& request) {
  const size_t threads = std::max(1U, request.threads / request.workers);
  // Not one row more: it would be a chunk of its own in the encoder.
  const size_t most = std::max<size_t>(1, kBlocksPerThread * threads / request.blocks_across);
  const size_t least =
      std::min(most, divide_round_up(kLeastBlocksPerThread * threads, request.blocks_across));
  const size_t share = request.left * threads / (kStripsPerWorker * request.all_threads);
  const size_t rows = std::min(std::clamp(share, least, most), request.left);
  const size_t others = request.all_threads - std::min(request.threads, request.all_threads);
  // Rows per thread: those that this rank would have, against those that the others would share.
  const bool ends_in_time =
      (request.held + rows) * others <= (request.left - rows) * request.threads;
  return request.held == 0 || ends_in_time ? rows : 0;
}

void StripLedger::add(int rank, uint64_t pixels, double seconds) {
  const std::lock_guard lock(mutex_);
  RankWork& work = ranks_[static_cast<size_t>(rank)];
  ++work.units;
  work.pixels += pixels;
  work.busy_seconds += seconds;
}

void StripLedger::add_costs(const Coordinator::Costs& before, const Coordinator::Costs& after) {
  const std::lock_guard lock(mutex_);
  costs_.units += after.units - before.units;
  costs_.messages += after.messages - before.messages;
  costs_.control_seconds += after.control_seconds - before.control_seconds;
}

std::vector<RankWork> StripLedger::work() const {
  const std::lock_guard lock(mutex_);
  return ranks_;
}

Coordinator::Costs StripLedger::costs() const {
  const std::lock_guard lock(mutex_);
  return costs_;
}

StripRun::StripRun(const ImageView& image, ImageFacts facts, const TextureInfo& format,
                   Coordinator& coordinator, const StripOptions& options, StripLedger& ledger,
                   const RunControl& control, std::span<uint8_t> out)
    : image_(image),
      facts_(facts),
      srgb_(format.srgb),
      coordinator_(coordinator),
      options_(options),
      ledger_(ledger),
      control_(control),
      out_(out),
      block_(format.block),
      blocks_across_(divide_round_up(image.info.width, format.block.width)),
      rows_per_slice_(divide_round_up(image.info.height, block_.height)),
      slices_per_layer_(divide_round_up(image.info.depth, block_.depth)),
      row_bytes_(blocks_across_ * bytes_per_block(format.format)),
      row_count_(rows_per_slice_ * slices_per_layer_ * image.info.layers),
      all_threads_(coordinator.total_threads()),
      held_(static_cast<size_t>(coordinator.ranks())) {}

std::optional<StripRun::Strip> StripRun::take_strip(int rank) {
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
  const Strip strip = is_deep() ? cut_slices(wanted) : cut(wanted);
  held_[static_cast<size_t>(rank)] += strip.end - strip.begin;
  ++under_way_;
  return strip;
}

// The next rows, up to the end of the slice.
StripRun::Strip StripRun::cut(size_t rows) {
  Strip strip;
  strip.begin = next_;
  const size_t slice = next_ / rows_per_slice_;
  const size_t slice_begin = slice * rows_per_slice_;
  const size_t together = options_.rows_together;
  const size_t whole_rows = static_cast<size_t>(divide_round_up(rows, together)) * together;
  strip.end = std::min(next_ + whole_rows, slice_begin + rows_per_slice_);
  next_ = strip.end;
  const auto first = static_cast<uint32_t>((strip.begin - slice_begin) * block_.height);
  const auto last = static_cast<uint32_t>(
      std::min<size_t>((strip.end - slice_begin) * block_.height, image_.info.height));
  strip.pixels = image_;
  strip.pixels.data = image_.row<uint8_t>(first, static_cast<uint32_t>(slice));
  strip.pixels.info.height = last - first;
  strip.pixels.info.depth = 1;
  strip.pixels.info.layers = 1;
  return strip;
}

// The next slices of blocks that have about so many rows, up to the end of the layer.
StripRun::Strip StripRun::cut_slices(size_t rows) {
  Strip strip;
  strip.begin = next_;
  const size_t slice = next_ / rows_per_slice_;
  const size_t layer = slice / slices_per_layer_, place = slice % slices_per_layer_;
  const size_t count =
      std::min(std::max<size_t>(1, rows / rows_per_slice_), slices_per_layer_ - place);
  strip.end = next_ + count * rows_per_slice_;
  next_ = strip.end;
  const size_t first = place * block_.depth;
  const size_t last = std::min<size_t>((place + count) * block_.depth, image_.info.depth);
  strip.pixels = image_;
  strip.pixels.data =
      image_.row<uint8_t>(0, static_cast<uint32_t>(layer * image_.info.depth + first));
  strip.pixels.info.depth = static_cast<uint32_t>(last - first);
  strip.pixels.info.layers = 1;
  return strip;
}

std::span<uint8_t> StripRun::place_of(const Strip& strip) {
  return out_.subspan(strip.begin * row_bytes_, (strip.end - strip.begin) * row_bytes_);
}

std::optional<Unit> StripRun::take(int rank) {
  if (!can_travel()) {
    return std::nullopt;
  }
  const auto strip = take_strip(rank);
  if (!strip) {
    return std::nullopt;
  }
  Unit unit;
  unit.kind = kStripKind;
  unit.fields = strip_fields(strip->pixels, facts_, srgb_);
  unit.input = {strip->pixels.data, strip_message_bytes(strip->pixels)};
  unit.output = place_of(*strip);
  unit.output_bytes = unit.output.size();
  unit.done = [this, strip = *strip](const UnitOutcome& outcome) {
    Status status;
    if (!outcome.status) {
      status = Error{outcome.status.error().code, "rank " + std::to_string(outcome.rank) + ": " +
                                                      outcome.status.error().message};
    }
    finish(strip, outcome.rank, outcome.busy_seconds, status);
  };
  return unit;
}

void StripRun::finish(const Strip& strip, int rank, double seconds, const Status& status) {
  if (status) {
    ledger_.add(rank, strip.pixels.info.pixel_count(), seconds);
  }
  const std::lock_guard lock(mutex_);
  --under_way_;
  held_[static_cast<size_t>(rank)] -= strip.end - strip.begin;
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

Status StripRun::wait() {
  constexpr auto kPatience = std::chrono::seconds(2);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return settled() || error_; });
  ended_.wait_for(lock, kPatience, [this] { return settled(); });
  return error_ ? Status(*error_) : Status();
}

bool StripRun::is_settled() {
  const std::lock_guard lock(mutex_);
  return settled();
}

bool StripRun::cancelled() const {
  return control_.cancelled != nullptr && control_.cancelled->load(std::memory_order_relaxed);
}

size_t StripRun::rows_for(int rank) const {
  const Greeting& greeting = coordinator_.greeting(rank);
  StripRequest request;
  request.left = row_count_ - next_;
  request.held = held_[static_cast<size_t>(rank)];
  request.blocks_across = blocks_across_;
  request.threads = greeting.threads;
  request.workers = greeting.workers;
  request.all_threads = all_threads_;
  const size_t rows_of_a_message =
      std::max<size_t>(1, kMostStripBytes / unit_bytes()) * (is_deep() ? rows_per_slice_ : 1);
  return std::min(rows_of_a_message, strip_rows(request));
}

// Of the pixels of the least strip: a row of blocks, or a slice of them.
size_t StripRun::unit_bytes() const {
  return is_deep() ? image_.slice_stride * block_.depth : image_.row_stride * block_.height;
}

// A unit of more than a gigabyte is not sent: rank 0 encodes it.
bool StripRun::can_travel() const {
  if (is_deep()) {
    const size_t units = std::max<size_t>(1, options_.unit_rows / rows_per_slice_);
    return units * unit_bytes() <= kMaxMessageBytes &&
           image_.slice_stride == image_.row_stride * image_.info.height;
  }
  const size_t rows = std::max<size_t>(options_.rows_together, options_.unit_rows);
  return rows * unit_bytes() <= kMaxMessageBytes;
}

}  // namespace tessera::cluster
