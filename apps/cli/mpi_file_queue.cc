#include "mpi_file_queue.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "base/file.h"

namespace tessera::cli {

Bytes write_file_reply(const MadeFile& file, bool gathered) {
  const Json report = {
      {"json", file.json}, {"line", file.line}, {"note", file.note}, {"pixels", file.pixels}};
  const std::string text = report.dump(-1, ' ', false, Json::error_handler_t::replace);
  Bytes bytes;
  ByteWriter writer(bytes);
  writer.write(static_cast<uint32_t>(text.size()));
  bytes.insert(bytes.end(), text.begin(), text.end());
  if (gathered) {
    writer.write_bytes(file.bytes);
  }
  return bytes;
}

Result<MadeFile> parse_file_reply(ByteSpan bytes, int rank) {
  const Error wrong = invalid_error("rank " + std::to_string(rank) +
                                    " told something of a file that cannot be understood");
  ByteReader reader(bytes);
  const auto length = reader.read<uint32_t>();
  if (!reader.ok() || length > reader.remaining()) {
    return wrong;
  }
  const ByteSpan text = bytes.subspan(reader.position(), length);
  Json report = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!report.is_object() || !report.contains("json") || !report["json"].is_object() ||
      !report.contains("line") || !report["line"].is_string() || !report.contains("note") ||
      !report["note"].is_string() || !report.contains("pixels") ||
      !report["pixels"].is_number_unsigned()) {
    return wrong;
  }
  MadeFile file;
  file.json = std::move(report["json"]);
  file.line = report["line"].get<std::string>();
  file.note = report["note"].get<std::string>();
  file.pixels = report["pixels"].get<uint64_t>();
  const ByteSpan rest = bytes.subspan(reader.position() + length);
  file.bytes.assign(rest.begin(), rest.end());
  return file;
}

FileOutcomes::FileOutcomes(const BatchOptions& options, const std::vector<FilePair>& pairs,
                           int ranks)
    : options_(options),
      pairs_(pairs),
      outcomes_(pairs.size()),
      ranks_(static_cast<size_t>(ranks)) {}

void FileOutcomes::add(size_t index, int rank, Result<MadeFile> outcome) {
  const std::lock_guard lock(mutex_);
  RankTotal& total = ranks_[static_cast<size_t>(rank)];
  if (outcome) {
    ++total.files;
    total.pixels += outcome->pixels;
    outcome->bytes = {};
    outcome->json["rank"] = rank;
  } else {
    ++total.failures;
  }
  outcomes_[index] = std::move(outcome);
  while (printed_ < outcomes_.size() && outcomes_[printed_]) {
    print(printed_++);
  }
}

void FileOutcomes::print(size_t index) {
  const Result<MadeFile>& outcome = *outcomes_[index];
  if (!outcome) {
    report_error(outcome.error());
    return;
  }
  if (options_.json || options_.quiet) {
    return;
  }
  FILE* out = pairs_[index].output == kStandardStream ? stderr : stdout;
  std::fprintf(out, "%s\n", outcome->line.c_str());
  if (!outcome->note.empty()) {
    std::fprintf(stderr, "%s\n", outcome->note.c_str());
  }
}

int FileOutcomes::exit_code() const {
  for (const auto& outcome : outcomes_) {
    if (outcome && !*outcome) {
      return static_cast<int>(outcome->error().code);
    }
  }
  return 0;
}

void FileOutcomes::print_end(double seconds, const std::vector<cluster::RankWork>& shared) const {
  Json results = Json::array();
  for (size_t i = 0; i < outcomes_.size() && options_.json; ++i) {
    if (outcomes_[i] && *outcomes_[i]) {
      results.push_back((*outcomes_[i])->json);
    } else if (outcomes_[i]) {
      results.push_back({{"input", pairs_[i].input}, {"error", outcomes_[i]->error().message}});
    }
  }
  if (options_.json && options_.inputs.size() > 1) {
    print_json(results);
  } else if (options_.json && exit_code() == 0) {
    print_json(results.front());
  }
  // Before other ranks are told to stop: when one ends with an error, mpirun ends all.
  std::fflush(stdout);
  if (options_.quiet || options_.inputs.size() < 2) {
    return;
  }
  FILE* out = options_.json ? stderr : stdout;
  const double time = std::max(seconds, 1e-9);
  RankTotal all;
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    RankTotal total = ranks_[rank];
    total.pixels += rank < shared.size() ? shared[rank].pixels : 0;
    all.files += total.files;
    all.failures += total.failures;
    all.pixels += total.pixels;
    std::fprintf(out, "rank %zu: %lu files, %lu failed, %.1f MP/s\n", rank, total.files,
                 total.failures, static_cast<double>(total.pixels) / 1e6 / time);
  }
  std::fprintf(out, "all ranks: %lu files, %lu failed, %.1f MP/s, %.2f s\n", all.files,
               all.failures, static_cast<double>(all.pixels) / 1e6 / time, seconds);
  std::fflush(out);
}

FileQueue::FileQueue(std::vector<size_t> files, const std::vector<FilePair>& pairs, bool gather,
                     FileOutcomes& outcomes)
    : files_(std::move(files)), pairs_(pairs), gather_(gather), outcomes_(outcomes) {}

std::optional<size_t> FileQueue::take_file() {
  const std::lock_guard lock(mutex_);
  if (next_ == files_.size() || !check_interrupted()) {
    return std::nullopt;
  }
  return files_[next_++];
}

std::optional<cluster::Unit> FileQueue::take(int /*rank*/) {
  const auto index = take_file();
  if (!index) {
    return std::nullopt;
  }
  {
    const std::lock_guard lock(mutex_);
    ++under_way_;
  }
  cluster::Unit unit;
  unit.kind = kFileKind;
  unit.fields[0] = *index;
  unit.done = [this, index = *index](cluster::UnitOutcome outcome) {
    receive(index, std::move(outcome));
  };
  return unit;
}

void FileQueue::receive(size_t index, cluster::UnitOutcome outcome) {
  auto file = outcome.status ? parse_file_reply(outcome.reply, outcome.rank)
                             : Result<MadeFile>(outcome.status.error());
  if (file && gather_) {
    if (const Status written = write_file(pairs_[index].output, file->bytes); !written) {
      file = written.error();
    }
  }
  outcomes_.add(index, outcome.rank, std::move(file));
  const std::lock_guard lock(mutex_);
  --under_way_;
  ended_.notify_all();
}

void FileQueue::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return under_way_ == 0; });
}

FilePlan plan_files(const std::vector<uint64_t>& sizes, size_t ranks,
                    std::optional<uint64_t> split_over) {
  const uint64_t total = std::accumulate(sizes.begin(), sizes.end(), uint64_t{0});
  const uint64_t limit = split_over.value_or(total / (2 * ranks));
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
  FilePlan plan;
  for (const size_t index : order) {
    (sizes.size() == 1 || sizes[index] > limit ? plan.shared : plan.whole).push_back(index);
  }
  return plan;
}

}  // namespace tessera::cli
