// Strips of a picture on their way: one is read and prepared while the one before it is encoded.
#include "files/encode_by_rows.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>
#include <utility>

#include "base/bytes.h"
#include "files/content_hash.h"
#include "files/file.h"
#include "files/input_file.h"
#include "files/pictures/row_reader.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

// Of a strip, for each thread: enough for several tasks of the encoder.
constexpr uint64_t kStripPixelsPerThread = uint64_t{4} << 20;
// From here on it pays to encode while the rest is being read, where the encoder can.
constexpr uint64_t kManyPixels = uint64_t{8} << 20;
// Strips that are in memory at once: one is encoded, one is read, as stored and as prepared.
constexpr uint64_t kStripsInMemory = 3;

bool needs_whole_picture(const EncodeJob& job) {
  return job.source || job.group != PictureGroup::kNone || job.edits.any() || !job.slices.empty() ||
         job.mips || !job.mip_files.empty() || job.metrics || job.goals.any() ||
         job.codec->row().payload != PayloadKind::kBlocks || job.input == kStandardStream;
}

// What the header says; an error means that somebody else is to say what is wrong.
Result<ImageInfo> read_info(const ByteSource& source, const EncodeJob& job,
                            const std::string& name) {
  if (job.raw) {
    return *job.raw;
  }
  Bytes head(static_cast<size_t>(std::min<uint64_t>(source.size(), kHeadBytes)));
  TESSERA_RETURN_IF_ERROR(source.read(0, head));
  return read_image_info(head, source.size(), name);
}

struct Strips {
  uint32_t rows = 0;  // of pixels
  MemoryNeed need;    // of the reader, strips and blocks
};

Strips choose_strips(const RowReader& reader, const EncodePlan& plan, const BlockEncoder& encoder,
                     unsigned threads, uint64_t file_bytes, const ReadBudget& budget) {
  const ImageInfo& picture = reader.info();
  const uint64_t pixel_bytes = picture.pixel_bytes() + encoder.input_channels(picture) *
                                                           sample_bytes(encoder.input_sample());
  Strips strips;
  // The blocks, and the file that is made of them.
  strips.need.scratch = reader.scratch_bytes() + 2 * encoder.output_bytes(picture);
  strips.need.pixels = picture.pixel_count();
  strips.need.unheld_file = file_bytes;
  const uint64_t memory = budget.memory_left(strips.need);
  const uint64_t row_pixels = uint64_t{picture.width} * plan.codec->block_of(plan.settings).height *
                              encoder.rows_together(picture);
  const uint64_t most = std::max(memory / (kStripsInMemory * pixel_bytes), row_pixels);
  const uint64_t wanted =
      std::max(threads * kStripPixelsPerThread, uint64_t{picture.width} * reader.rows_together());
  const uint64_t groups = std::min(divide_round_up(wanted, row_pixels), most / row_pixels);
  strips.rows = static_cast<uint32_t>(
      std::min<uint64_t>(groups * row_pixels / picture.width, picture.height));
  strips.need.scratch += uint64_t{strips.rows} * picture.width * pixel_bytes * kStripsInMemory;
  return strips;
}

// The prepared strips of a picture, one after the other; the next one is read while the caller
// works with the last one.
class StripReader {
 public:
  StripReader(RowReader& reader, uint32_t rows, const EncodePlan& plan, const Encoder& encoder)
      : reader_(reader), rows_(rows), plan_(plan), encoder_(encoder) {
    start();
  }
  ~StripReader() {
    if (reading_.valid()) {
      reading_.wait();
    }
  }
  StripReader(const StripReader&) = delete;
  StripReader& operator=(const StripReader&) = delete;

  bool at_end() const { return !reading_.valid(); }

  Result<PreparedImage> next() {
    Result<PreparedImage> strip = reading_.get();
    if (strip) {
      start();
    }
    return strip;
  }

 private:
  void start() {
    if (next_row_ == reader_.info().height) {
      return;
    }
    ImageInfo info = reader_.info();
    info.height = std::min(rows_, info.height - next_row_);
    next_row_ += info.height;
    // Where no thread can be started, next() reads.
    reading_ = std::async(std::launch::async | std::launch::deferred,
                          [this, info]() -> Result<PreparedImage> {
                            TESSERA_ASSIGN_OR_RETURN(Image strip, Image::create(info));
                            TESSERA_RETURN_IF_ERROR(reader_.read(strip.mutable_view()));
                            return prepare_image(strip.view(), plan_, encoder_);
                          });
  }

  RowReader& reader_;
  uint32_t rows_;
  const EncodePlan& plan_;
  const Encoder& encoder_;
  uint32_t next_row_ = 0;  // that nobody has been told to read
  std::future<Result<PreparedImage>> reading_;
};

// Copies of the areas that an encoder looks at.
class AreaCopies {
 public:
  explicit AreaCopies(std::vector<ImageArea> areas) : areas_(std::move(areas)) {}

  // `strip` begins at the row `top`; strips come from the top down.
  Status take(const ImageView& strip, uint32_t top) {
    while (!is_complete()) {
      const ImageArea& area = areas_[copies_.size()];
      if (area.y + area.height > top + strip.info.height) {
        break;
      }
      ImageInfo info = strip.info;
      info.width = area.width;
      info.height = area.height;
      TESSERA_ASSIGN_OR_RETURN(Image copy, Image::create(info));
      const size_t pixel = info.pixel_bytes();
      for (uint32_t y = 0; y < area.height; ++y) {
        std::memcpy(copy.row<uint8_t>(y), strip.row<uint8_t>(area.y - top + y) + area.x * pixel,
                    area.width * pixel);
      }
      copies_.push_back(std::move(copy));
    }
    return {};
  }

  bool is_complete() const { return copies_.size() == areas_.size(); }
  std::vector<ImageView> views() const {
    std::vector<ImageView> views;
    for (const Image& copy : copies_) {
      views.push_back(copy.view());
    }
    return views;
  }

 private:
  std::vector<ImageArea> areas_;
  std::vector<Image> copies_;
};

// A job that goes strip by strip.
struct RowJob {
  RowReader& reader;
  const EncodePlan& plan;
  const BlockEncoder& encoder;
  uint32_t strip_rows;
};

// Reads the picture once to know of it what the encoder wants to know.
Result<ImageFacts> look_by_rows(const RowJob& job, const RunControl& control) {
  if (!job.encoder.wants_facts()) {
    return ImageFacts{0};
  }
  AreaCopies areas(job.encoder.areas_looked_at(job.reader.info()));
  StripReader strips(job.reader, job.strip_rows, job.plan, job.encoder);
  for (uint32_t top = 0; !strips.at_end() && !areas.is_complete(); top += job.strip_rows) {
    TESSERA_ASSIGN_OR_RETURN(const PreparedImage strip, strips.next());
    TESSERA_RETURN_IF_ERROR(areas.take(strip.image.view(), top));
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  }
  return job.encoder.look_at_areas(areas.views());
}

Result<EncodedFile> encode_strips(const RowJob& job, Backend& backend, const RunControl& control) {
  const ImageInfo& picture = job.reader.info();
  TESSERA_ASSIGN_OR_RETURN(const ImageFacts facts, look_by_rows(job, control));
  TESSERA_RETURN_IF_ERROR(job.reader.rewind());
  EncodedTexture encoded;
  encoded.texture.info = encoded_info(picture, *job.plan.codec, job.plan.settings);
  encoded.texture.levels.emplace_back(static_cast<size_t>(job.encoder.output_bytes(picture)));
  std::span<uint8_t> out = encoded.texture.levels[0];
  EncodeReport report;
  StripReader strips(job.reader, job.strip_rows, job.plan, job.encoder);
  ImageView whole = {nullptr, picture};
  for (uint32_t top = 0; !strips.at_end(); top += job.strip_rows) {
    TESSERA_ASSIGN_OR_RETURN(const PreparedImage strip, strips.next());
    const ImageView pixels = strip.image.view();
    const auto bytes = static_cast<size_t>(job.encoder.output_bytes(pixels.info));
    const double height = picture.height;
    const auto start = Clock::now();
    TESSERA_RETURN_IF_ERROR(job.encoder.encode_part(
        pixels, facts, backend, control_of_part(control, top / height, pixels.info.height / height),
        out.first(bytes)));
    report.encode_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    out = out.subspan(bytes);
    report.alpha_dropped |= strip.alpha_dropped;
    report.clamped += strip.clamped;
    whole.info.channels = pixels.info.channels;
  }
  return write_encoded(encoded, {whole}, job.plan, std::move(report));
}

}  // namespace

Result<std::optional<MadeFile>> encode_by_rows(const EncodeJob& job, Backend& backend,
                                               const RunControl& control) {
  const std::optional<MadeFile> in_memory;
  if (needs_whole_picture(job)) {
    return in_memory;
  }
  const std::string name = input_display_name(job.input);
  ReadBudget whole(control.limits, control.cancelled,
                   [&](const MemoryNeed& need) { return encode_memory(job, need); });
  const auto source = FileSource::open(job.input, whole);
  const auto info = source ? read_info(*source, job, name) : source.error();
  if (!info || info->slices() != 1) {
    return in_memory;
  }
  const uint64_t pixels = info->pixel_count();
  const MemoryNeed need = {.file = source->size(),
                           .picture = pixels * info->pixel_bytes(),
                           .pixels = pixels,
                           .sample = static_cast<uint32_t>(sample_bytes(info->sample)),
                           .width = info->width,
                           .height = info->height};
  const bool is_too_large = whole.memory_left(need) == 0;
  if (!is_too_large && pixels < kManyPixels) {
    return in_memory;  // as most pictures are: nothing has been made for them
  }
  const EncodePlan plan = plan_for_picture(job, *info);
  TESSERA_ASSIGN_OR_RETURN(const auto encoder, make_block_encoder(*plan.codec, plan.settings));
  const bool is_quicker = pixels >= kManyPixels && !encoder->wants_facts();
  const bool wants_all = encoder->chooses_rate() ||
                         (encoder->wants_facts() && encoder->areas_looked_at(*info).empty());
  if (wants_all || !(is_too_large || is_quicker)) {
    return in_memory;
  }
  TESSERA_RETURN_IF_ERROR(whole.check_pixels(name, info->width, info->height));
  ReadBudget budget(control.limits, control.cancelled);
  budget.set_reserve(control.reserve);
  const auto reader = read_by_rows(*source, name, job.raw, budget);
  if (!reader) {
    return in_memory;
  }
  const Strips strips =
      choose_strips(**reader, plan, *encoder, backend.thread_count(), source->size(), budget);
  if (strips.rows < std::min((*reader)->rows_together(), info->height)) {
    return in_memory;  // every strip would unpack the same rows again
  }
  TESSERA_RETURN_IF_ERROR(budget.check_memory(name, strips.need));
  TESSERA_ASSIGN_OR_RETURN(
      EncodedFile file, encode_strips({**reader, plan, *encoder, strips.rows}, backend, control));
  const auto hash = file_hash(job.input);
  return std::optional(made_file(std::move(file), backend, hash.value_or(0)));
}

}  // namespace tessera
