// What ranks tell each other about whole files.
#include "cluster/file_message.h"

#include <algorithm>
#include <bit>
#include <string>

namespace tessera::cluster {
namespace {

constexpr uint32_t kFileMagic = 0x03465354;  // "TSF" and the version
constexpr uint32_t kLastProfile = static_cast<uint32_t>(Profile::kHdra);
constexpr uint32_t kMaxName = 64;     // bytes of a backend's or an instruction set's name
constexpr uint32_t kMaxReason = 512;  // bytes of the reason for a choice

// One description of the fields serves both directions.
class Writer {
 public:
  explicit Writer(Bytes& bytes) : writer_(bytes), bytes_(bytes) {}

  void field(uint32_t& value) { writer_.write(value); }
  void field(uint64_t& value) { writer_.write(value); }
  void field(double& value) { writer_.write(std::bit_cast<uint64_t>(value)); }
  void field(bool& value) { writer_.write(static_cast<uint8_t>(value)); }
  void field(std::string& value, uint32_t /*most*/ = kMaxName) {
    writer_.write(static_cast<uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  template <class T>
  bool has(std::optional<T>& value) {
    bool present = value.has_value();
    field(present);
    return present;
  }

 private:
  ByteWriter<Bytes> writer_;
  Bytes& bytes_;
};

class Reader {
 public:
  explicit Reader(ByteSpan bytes) : reader_(bytes), bytes_(bytes) {}

  void field(uint32_t& value) { value = reader_.read<uint32_t>(); }
  void field(uint64_t& value) { value = reader_.read<uint64_t>(); }
  void field(double& value) { value = std::bit_cast<double>(reader_.read<uint64_t>()); }
  void field(bool& value) {
    const auto byte = reader_.read<uint8_t>();
    ok_ = ok_ && byte <= 1;
    value = byte == 1;
  }
  void field(std::string& value, uint32_t most = kMaxName) {
    const auto length = reader_.read<uint32_t>();
    ok_ = ok_ && length <= most && length <= reader_.remaining();
    if (ok_) {
      const ByteSpan text = bytes_.subspan(reader_.position(), length);
      value.assign(text.begin(), text.end());
      reader_.skip(length);
    }
  }
  template <class T>
  bool has(std::optional<T>& value) {
    bool present = false;
    field(present);
    if (present) {
      value.emplace();
    }
    return present;
  }

  bool ok() const { return ok_ && reader_.ok(); }
  ByteSpan rest() const { return bytes_.subspan(reader_.position()); }

 private:
  ByteReader reader_;
  ByteSpan bytes_;
  bool ok_ = true;
};

template <class Way>
void metrics_fields(Way& way, Metrics& metrics) {
  for (double* value : {&metrics.psnr_rgb, &metrics.psnr_rgba, &metrics.psnr_alpha_weighted,
                        &metrics.ssim, &metrics.max_error, &metrics.worst_block.psnr_rgb}) {
    way.field(*value);
  }
  way.field(metrics.worst_block.x);
  way.field(metrics.worst_block.y);
  way.field(metrics.worst_block.slice);
  if (way.has(metrics.hdr)) {
    for (double* value : {&metrics.hdr->mpsnr, &metrics.hdr->log_rmse, &metrics.hdr->psnr_peak,
                          &metrics.hdr->peak}) {
      way.field(*value);
    }
  }
}

template <class Way>
void chosen_fields(Way& way, ChosenSettings& chosen) {
  way.field(chosen.block.width);
  way.field(chosen.block.height);
  way.field(chosen.block.depth);
  way.field(chosen.preset, kMaxReason);
  way.field(chosen.reason, kMaxReason);
}

template <class Way>
void rate_fields(Way& way, ChosenRate& rate) {
  double number = double{rate.number};
  double left = double{rate.left};
  way.field(number);
  way.field(left);
  rate.number = static_cast<float>(number);
  rate.left = static_cast<float>(left);
  way.field(rate.is_reached);
}

template <class Way>
void report_fields(Way& way, FileEncodeReport& report) {
  EncodeReport& encode = report.encode;
  way.field(encode.width);
  way.field(encode.height);
  way.field(encode.depth);
  way.field(encode.channels);
  uint64_t levels = encode.level_count;
  uint64_t bytes = encode.file_bytes;
  way.field(levels);
  way.field(bytes);
  encode.level_count = levels;
  encode.file_bytes = bytes;
  way.field(encode.encoded_pixels);
  way.field(encode.encode_seconds);
  way.field(encode.alpha_dropped);
  for (uint64_t* count : {&encode.clamped.nan, &encode.clamped.infinite, &encode.clamped.negative,
                          &encode.clamped.too_large, &encode.clamped.alpha}) {
    way.field(*count);
  }
  auto profile = static_cast<uint32_t>(encode.profile);
  way.field(profile);
  encode.profile = static_cast<Profile>(std::min<uint32_t>(profile, kLastProfile));
  if (way.has(encode.metrics)) {
    metrics_fields(way, *encode.metrics);
  }
  if (way.has(encode.angular_error)) {
    way.field(encode.angular_error->mean_degrees);
    way.field(encode.angular_error->max_degrees);
  }
  if (way.has(encode.chosen)) {
    chosen_fields(way, *encode.chosen);
  }
  if (way.has(encode.rate)) {
    rate_fields(way, *encode.rate);
  }
  way.field(report.backend);
  way.field(report.threads);
  way.field(report.isa);
  way.field(report.stamp.source);
  way.field(report.stamp.output);
  way.field(report.stamp.output_bytes);
}

}  // namespace

Bytes write_file_reply(const MadeFile& file, bool gathered) {
  Bytes bytes;
  ByteWriter(bytes).write(kFileMagic);
  Writer writer(bytes);
  FileEncodeReport report = file.report;
  report_fields(writer, report);
  if (gathered) {
    ByteWriter(bytes).write_bytes(file.bytes);
  }
  return bytes;
}

Result<MadeFile> parse_file_reply(ByteSpan bytes, bool gathered, int rank) {
  MadeFile file;
  Reader reader(bytes);
  uint32_t magic = 0;
  reader.field(magic);
  report_fields(reader, file.report);
  const ByteSpan rest = reader.rest();
  const uint64_t expected = gathered ? file.report.encode.file_bytes : 0;
  if (magic != kFileMagic || !reader.ok() || rest.size() != expected) {
    return invalid_error("rank " + std::to_string(rank) +
                         " sent a report of a file that cannot be understood");
  }
  file.bytes = LargeBytes(rest);
  return file;
}

}  // namespace tessera::cluster
