// Formats of whole images on many ranks: sharing the image, and the loops of the encoder.
#include "cluster/loop_ranks.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "base/guarded.h"
#include "cluster/worker.h"

namespace tessera::cluster {
namespace {

constexpr uint32_t kPartKind = 3;
// Bytes of the results of one loop, at most. Those of a tile's smallest blocks are some megabytes.
constexpr uint64_t kMaxResultBytes = uint64_t{1} << 33;
// The rest of a loop is cut into at least this many parts for each rank.
constexpr size_t kPartsPerRank = 3;

// The parts of one loop; rank 0 and the other ranks take them.
class PartSource : public UnitSource {
 public:
  PartSource(const SharedWork& work, size_t ranks) : work_(work), ranks_(ranks) {}

  struct Part {
    size_t begin = 0;
    size_t end = 0;
  };

  std::optional<Part> take_part() {
    const std::lock_guard lock(mutex_);
    if (next_ == work_.count || error_) {
      return std::nullopt;
    }
    const size_t remaining = work_.count - next_;
    const size_t items = std::max(work_.grain, remaining / (kPartsPerRank * ranks_));
    const Part part = {next_, next_ + std::min(std::max<size_t>(items, 1), remaining)};
    next_ = part.end;
    ++under_way_;
    return part;
  }

  std::optional<Unit> take(int /*rank*/) override {
    const auto part = take_part();
    if (!part) {
      return std::nullopt;
    }
    Unit unit;
    unit.kind = kPartKind;
    unit.fields = {part->begin, part->end, work_.count, 0, 0, 0};
    unit.done = [this, part = *part](const UnitOutcome& outcome) {
      Status status = outcome.status;
      if (status) {
        status = work_.load(part.begin, part.end, outcome.reply);
      }
      if (!status) {
        status = Error{status.error().code,
                       "rank " + std::to_string(outcome.rank) + ": " + status.error().message};
      }
      finish(status);
    };
    return unit;
  }

  void finish(const Status& status) {
    const std::lock_guard lock(mutex_);
    --under_way_;
    if (!status && !error_) {
      error_ = status.error();
    }
    ended_.notify_all();
  }

  Status wait() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return under_way_ == 0; });
    return error_ ? Status(*error_) : Status();
  }

 private:
  const SharedWork& work_;
  const size_t ranks_;
  std::mutex mutex_;
  std::condition_variable ended_;
  size_t next_ = 0;
  size_t under_way_ = 0;
  std::optional<Error> error_;
};

constexpr size_t kSourceHeaderBytes = 24;

Bytes write_source_header(const Result<PreparedImage>& source) {
  Bytes bytes;
  ByteWriter writer(bytes);
  const ImageInfo info = source ? source->image.info() : ImageInfo();
  writer.write(source ? uint32_t{0} : static_cast<uint32_t>(source.error().code));
  writer.write(info.width);
  writer.write(info.height);
  writer.write(info.channels);
  writer.write(static_cast<uint64_t>(source ? source->image.row_stride() : 0));
  return bytes;
}

// The error of a rank that cannot go on although rank 0 does: it ends all ranks.
Error out_of_step(const Error& error) {
  return failed_error(error.message);
}

// The image that a header announces, without its pixels.
Result<Image> make_announced_image(ByteSpan header) {
  ByteReader reader(header);
  const auto code = reader.read<uint32_t>();
  ImageInfo info;
  info.width = reader.read<uint32_t>();
  info.height = reader.read<uint32_t>();
  info.channels = reader.read<uint32_t>();
  const auto stride = reader.read<uint64_t>();
  if (code != 0) {
    constexpr auto kLast = static_cast<uint32_t>(ErrorCode::kDiffer);
    return Error{static_cast<ErrorCode>(std::min(code, kLast)), "rank 0 has no image"};
  }
  if (info.channels != 1 && info.channels != 3) {
    return failed_error("rank 0 announced an image of " + std::to_string(info.channels) +
                        " channels");
  }
  auto image = Image::create(info);
  if (!image) {
    return out_of_step(image.error());
  }
  if (image->row_stride() != stride) {
    return failed_error("rank 0 announced rows of " + std::to_string(stride) + " bytes, not " +
                        std::to_string(image->row_stride()));
  }
  return image;
}

}  // namespace

LoopRanks::LoopRanks(RankGroup& group, std::vector<Greeting> greetings, Backend& backend,
                     std::function<void(const Error&)> report)
    : group_(group),
      greetings_(std::move(greetings)),
      backend_(backend),
      report_(std::move(report)) {
  for (Greeting& greeting : greetings_) {
    greeting.workers = 1;  // all threads of a rank work on one part
  }
}

size_t LoopRanks::processes() const {
  return greetings_.size();
}

Status LoopRanks::run(const SharedWork& work) {
  return group_.is_root() ? run_root(work) : run_other(work);
}

Status LoopRanks::run_root(const SharedWork& work) {
  PartSource parts(work, greetings_.size());
  Coordinator coordinator(group_, greetings_, report_);
  coordinator.add_source(parts);
  Status status;
  coordinator.run([&] {
    while (const auto part = parts.take_part()) {
      parts.finish(guarded([&] { return work.compute(part->begin, part->end); }));
      coordinator.look_soon();
    }
    const Coordinator::Waiting waiting(coordinator);
    status = parts.wait();
    coordinator.remove_source(parts);
    return status ? 0 : static_cast<int>(status.error().code);
  });
  coordinator.stop(status ? 0 : static_cast<int>(status.error().code));
  if (!status) {
    return status;
  }
  Bytes results;
  work.save(0, work.count, results);
  return group_.broadcast_sized(results, kMaxResultBytes);
}

Status LoopRanks::run_other(const SharedWork& work) {
  const auto compute = [&](const UnitHeader& header, ByteSpan, Backend&, const RunControl&,
                           Bytes& output) -> Status {
    const auto [begin, end, count, unused0, unused1, unused2] = header.fields;
    if (header.kind != kPartKind || count != work.count || begin >= end || end > count) {
      return invalid_error("a rank was sent a part of a loop that it does not run");
    }
    TESSERA_RETURN_IF_ERROR(work.compute(begin, end));
    output.clear();
    work.save(begin, end, output);
    return {};
  };
  const int code = serve_units(group_, {&backend_}, compute);
  if (code != 0) {
    return Error{static_cast<ErrorCode>(code), "rank 0 has stopped"};
  }
  Bytes results;
  TESSERA_RETURN_IF_ERROR(group_.broadcast_sized(results, kMaxResultBytes));
  const Status loaded = work.load(0, work.count, results);
  return loaded ? Status() : Status(out_of_step(loaded.error()));
}

Result<PreparedImage> share_source(Result<PreparedImage> source, RankGroup& group) {
  Bytes header(kSourceHeaderBytes);
  if (group.is_root()) {
    header = write_source_header(source);
  }
  TESSERA_RETURN_IF_ERROR(group.broadcast(header));
  if (group.is_root() && !source) {
    return source;
  }
  if (!group.is_root()) {
    TESSERA_ASSIGN_OR_RETURN(Image image, make_announced_image(header));
    source = PreparedImage{std::move(image), false, {}};
  }
  const MutableImageView pixels = source->image.mutable_view();
  TESSERA_RETURN_IF_ERROR(group.broadcast({pixels.data, pixels.row_stride * pixels.info.height}));
  return source;
}

}  // namespace tessera::cluster
