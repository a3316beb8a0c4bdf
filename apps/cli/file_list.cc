// Tells what becomes of a list of files, in the order of the inputs.
#include "file_list.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "limit_options.h"

namespace tessera::cli {
namespace {

// What only runs on several ranks have to tell.
void add_ranks(const FileReport& report, Json& object) {
  object["rank"] = report.rank;
  if (report.ranks == nullptr) {
    return;
  }
  Json ranks = Json::array();
  for (size_t i = 0; i < report.rank_count; ++i) {
    const tessera_rank_work& work = report.ranks[i];
    ranks.push_back({{"units", work.units},
                     {"mpixels", static_cast<double>(work.pixels) / 1e6},
                     {"busy_seconds", work.busy_seconds}});
  }
  object["ranks"] = std::move(ranks);
  object["messages"] = report.messages;
  object["control_seconds"] = report.control_seconds;
}

// Who has encoded how much of a file.
std::vector<double> megapixels_by_rank(const FileReport& report) {
  std::vector<double> megapixels;
  for (size_t i = 0; report.ranks != nullptr && i < report.rank_count; ++i) {
    megapixels.push_back(static_cast<double>(report.ranks[i].pixels) / 1e6);
  }
  if (report.ranks == nullptr && report.encode != nullptr) {
    megapixels.assign(report.rank + 1, 0);
    megapixels.back() = static_cast<double>(report.encode->encoded_pixels) / 1e6;
  }
  return megapixels;
}

}  // namespace

void add_file_list_options(CLI::App& command, FileListOptions& options) {
  add_backend_options(command, options.backend);
  command.add_flag("--json", options.json,
                   "Print the result as JSON (an array for several inputs)");
  command.add_flag("--quiet", options.quiet, "Print nothing but errors");
  command.add_flag("--fsync", options.fsync,
                   "Wait for the disk: a file that is reported outlives a loss of power");
  add_limit_options(command, options.limits);
}

Status check_file_list(const FileListOptions& options) {
  if (options.json && options.output == kStandardStream) {
    return usage_error("--json and the file cannot both go to standard output");
  }
  return {};
}

bool is_unnamed_output(const FileListOptions& options) {
  const std::string& output = options.output;
  std::error_code ignored;
  return options.inputs.size() > 1 || output == kStandardStream || output.ends_with('/') ||
         output.starts_with("/dev/") || std::filesystem::is_directory(output, ignored);
}

FileResults::FileResults(const FileListOptions& options, uint32_t rank_count, Describe describe)
    : options_(options), describe_(std::move(describe)), totals_(rank_count) {}

FileCalls FileResults::calls() {
  FileCalls calls;
  calls.stop = &stop();
  calls.limits = options_.limits;
  calls.sync = options_.fsync;
  calls.done = [this](const FileReport& report) { add(report); };
  // With MPI: told at once, because the process may end.
  calls.failed = [this](const Error& error) {
    report_error(error);
    failure_was_told_ = true;
  };
  calls.begin = [this](const char* input) {
    const std::lock_guard lock(mutex_);
    shown_input_ = input;
    progress_.emplace(shown_input_, options_.quiet);
    return Control{progress_->callback(), &stop(), options_.limits};
  };
  return calls;
}

void FileResults::add(const FileReport& report) {
  const std::lock_guard lock(mutex_);
  if (report.input == shown_input_) {  // other ranks may be done with other files meanwhile
    progress_.reset();
  }
  Outcome outcome;
  outcome.rank = report.rank;
  if (report.status != TESSERA_OK) {
    outcome.error = Error{static_cast<ErrorCode>(report.status), report.message};
    outcome.text.json = {{"input", report.input}, {"error", report.message}};
  } else {
    outcome.text = describe_(report);
    if (is_on_ranks(options_.backend)) {
      add_ranks(report, outcome.text.json);
    }
  }
  outcome.megapixels = megapixels_by_rank(report);
  print(outcome);
  count(outcome);
  if (++told_ == options_.inputs.size()) {
    // Not later: when another rank of an MPI job ends with an error, its launcher ends all.
    print_end();
  }
}

void FileResults::count(const Outcome& outcome) {
  if (outcome.error && !first_failure_) {
    first_failure_ = outcome.error;
  }
  if (options_.json) {
    results_.push_back(outcome.text.json);
  }
  RankTotal& total = totals_.at(outcome.rank);
  ++(outcome.error ? total.failures : total.files);
  for (size_t rank = 0; rank < outcome.megapixels.size(); ++rank) {
    totals_.at(rank).megapixels += outcome.megapixels[rank];
  }
}

void FileResults::print(const Outcome& outcome) const {
  if (outcome.error) {
    report_error(*outcome.error);
    return;
  }
  if (options_.json || options_.quiet) {
    return;
  }
  // Standard output may carry the file.
  FILE* out = options_.output == kStandardStream ? stderr : stdout;
  if (!outcome.text.line.empty()) {
    std::fprintf(out, "%s\n", outcome.text.line.c_str());
  }
  if (!outcome.text.note.empty()) {
    std::fprintf(stderr, "%s\n", outcome.text.note.c_str());
  }
}

void FileResults::print_end() const {
  if (is_interrupted()) {
    return;
  }
  if (options_.json && options_.inputs.size() > 1) {
    print_json(results_);
  } else if (options_.json && !first_failure_) {
    print_json(results_.front());
  }
  if (is_on_ranks(options_.backend)) {
    std::fflush(stdout);
    print_ranks();
  }
}

void FileResults::print_ranks() const {
  if (options_.quiet || options_.inputs.size() < 2) {
    return;
  }
  RankTotal all;
  for (const RankTotal& total : totals_) {
    all.files += total.files;
    all.failures += total.failures;
    all.megapixels += total.megapixels;
  }
  FILE* out = options_.json ? stderr : stdout;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double time = std::max(seconds, 1e-9);
  for (size_t rank = 0; rank < totals_.size(); ++rank) {
    std::fprintf(out, "rank %zu: %lu files, %lu failed, %.1f MP/s\n", rank, totals_[rank].files,
                 totals_[rank].failures, totals_[rank].megapixels / time);
  }
  std::fprintf(out, "all ranks: %lu files, %lu failed, %.1f MP/s, %.2f s\n", all.files,
               all.failures, all.megapixels / time, seconds);
  std::fflush(out);
}

int FileResults::finish(const Status& outcome) {
  progress_.reset();
  const bool is_news =
      !first_failure_ || (!outcome && outcome.error().code == ErrorCode::kInterrupted);
  if (!outcome && is_news && !failure_was_told_) {
    report_error(outcome.error());
  }
  if (first_failure_) {
    return static_cast<int>(first_failure_->code);
  }
  return outcome ? 0 : static_cast<int>(outcome.error().code);
}

}  // namespace tessera::cli
