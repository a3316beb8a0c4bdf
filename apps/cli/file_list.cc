// Tells what becomes of a list of files, in the order of the inputs.
#include "file_list.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "format_options.h"
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

Json failed_output(const std::string& input, const std::string& output, const Error& error) {
  return {{"input", input},
          {"output", output},
          {"status", "failed"},
          {"error", error.message},
          {"exit_code", static_cast<int>(error.code)}};
}

void print_line(const Json& object) {
  std::puts(object.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

// Of a file that was not made.
FileText text_of_fate(const FileReport& report) {
  const bool is_unchanged = report.unchanged != 0;
  FileText text;
  text.json = {{"input", report.input},
               {"output", report.output},
               {"status", is_unchanged ? "unchanged" : "planned"}};
  if (is_unchanged) {
    text.json["bytes"] = report.file_bytes;
  }
  text.line = report.output + std::string(is_unchanged ? ": unchanged" : ": would be made");
  return text;
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
  const std::string folders = "For folders";
  command
      .add_option("--include", options.include,
                  "Take files that this pattern means, such as '*_n.png' or 'ui/**' (may be given "
                  "several times; default: all of a known type)")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->check(not_empty())
      ->group(folders);
  command.add_option("--exclude", options.exclude, "Leave out files that this pattern means")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->check(not_empty())
      ->group(folders);
  command
      .add_flag("--resume", options.resume,
                "Keep outputs that are complete and were made of the same content with the same "
                "settings, as runs into a folder always do")
      ->group(folders);
  command.add_flag("--force", options.force, "Make all outputs again")->group(folders);
  command.add_flag("--dry-run", options.dry_run, "Tell what would be made, and write nothing")
      ->group(folders);
  add_backend_options(command, options.backend);
  command.add_flag("--json", options.json,
                   "Print the results as JSON: an array with an object for each file");
  command.add_flag("--json-lines", options.json_lines,
                   "Print each result as a line of JSON as soon as it is known");
  command.add_flag("-q,--quiet", options.quiet, "Print nothing but errors");
  command.add_flag("--fsync", options.fsync,
                   "Wait for the disk: a file that is reported outlives a loss of power");
  add_limit_options(command, options.limits);
}

Status check_file_list(const FileListOptions& options) {
  if ((options.json || options.json_lines) && options.output == kStandardStream) {
    return usage_error(std::string(options.json ? "--json" : "--json-lines") +
                       " and the file cannot both go to standard output");
  }
  if (Status open = check_output_stream(options.output); !open) {
    return open;
  }
  if (options.json && options.json_lines) {
    return usage_error("--json and --json-lines exclude each other");
  }
  if (options.resume && options.force) {
    return usage_error("--resume keeps outputs, and --force makes all of them again");
  }
  if (options.resume && !is_folder_output(options)) {
    return usage_error("--resume needs a folder as output");
  }
  return {};
}

int report_failed_list(const FileListOptions& options, const Error& error) {
  Json results = Json::array();
  for (const std::string& input : options.inputs) {
    results.push_back(failed_output(input, options.output, error));
  }
  if (options.json && speaks_for_all()) {
    print_json(results);
  } else if (options.json_lines && speaks_for_all()) {
    std::for_each(results.begin(), results.end(), print_line);
  }
  std::fflush(stdout);
  return report_error(error);
}

bool is_folder_output(const FileListOptions& options) {
  const auto is_folder = [](const std::string& name) {
    std::error_code ignored;
    return name != kStandardStream && std::filesystem::is_directory(name, ignored);
  };
  const auto holds_several = [&](const std::string& input) {
    return input.starts_with('@') || is_folder(input);
  };
  if (options.output.ends_with('/') || is_folder(options.output)) {
    return true;
  }
  return !options.one_file &&
         (options.inputs.size() > 1 ||
          std::any_of(options.inputs.begin(), options.inputs.end(), holds_several));
}

bool is_unnamed_output(const FileListOptions& options) {
  const std::string& output = options.output;
  return is_folder_output(options) || output == kStandardStream || output.starts_with("/dev/");
}

std::string named_container(const FileListOptions& files) {
  std::string name = std::filesystem::path(files.output).extension().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Json& container : build()["containers"]) {
    if (name == "." + container.get<std::string>()) {
      return container;
    }
  }
  return "";
}

FileResults::FileResults(const FileListOptions& options, uint32_t rank_count, Describe describe)
    : options_(options),
      describe_(std::move(describe)),
      progress_(options.quiet),
      totals_(rank_count) {}

FileCalls FileResults::calls() {
  FileCalls calls;
  calls.stop = &stop();
  calls.limits = options_.limits;
  calls.sync = options_.fsync;
  calls.include = options_.include;
  calls.exclude = options_.exclude;
  calls.update = is_folder_output(options_);
  if (calls.update && !options_.limits.untrusted) {
    reuse_freed_memory();
  }
  calls.force = options_.force;
  calls.dry_run = options_.dry_run;
  calls.listed = [this](size_t count) {
    file_count_ = count;
    progress_.set_count(count);
  };
  calls.done = [this](const FileReport& report) { add(report); };
  // With MPI: told at once, because the process may end.
  calls.failed = [this](const Error& error) {
    const std::lock_guard lock(mutex_);
    tell_end(error);
  };
  calls.begin = [this](const char* input) {
    progress_.begin(input);
    Control control = {{}, &stop(), options_.limits};
    if (progress_.is_shown()) {
      control.progress = [this, name = std::string(input)](double fraction) {
        progress_.advance(name, fraction);
      };
    }
    return control;
  };
  return calls;
}

void FileResults::add(const FileReport& report) {
  const std::lock_guard lock(mutex_);
  add_to_totals(report);
  progress_.clear();
  Outcome outcome;
  outcome.rank = report.rank;
  if (report.status != TESSERA_OK) {
    outcome.error = Error{static_cast<ErrorCode>(report.status), report.message};
    outcome.text.json = failed_output(report.input, report.output, *outcome.error);
  } else if (report.unchanged != 0 || report.planned != 0) {
    outcome.text = text_of_fate(report);
  } else {
    outcome.text = describe_(report);
    outcome.text.json["status"] = "made";
    if (is_on_ranks(options_.backend)) {
      add_ranks(report, outcome.text.json);
    }
  }
  outcome.megapixels = megapixels_by_rank(report);
  print(outcome);
  count(outcome);
  if (++told_ == file_count_) {
    // Not later: when another rank of an MPI job ends with an error, its launcher ends all.
    print_end();
  }
}

void FileResults::add_to_totals(const FileReport& report) {
  std::error_code error;
  const bool is_made = report.status == TESSERA_OK && report.unchanged == 0 && report.planned == 0;
  const double pixels = report.encode != nullptr
                            ? static_cast<double>(report.encode->encoded_pixels)
                            : static_cast<double>(report.width) * report.height;
  progress_.end(report.input, report.unchanged == 0, pixels / 1e6);
  if (!is_made) {
    summary_.failed += report.status != TESSERA_OK ? 1 : 0;
    summary_.unchanged += report.unchanged != 0 ? 1 : 0;
    summary_.planned += report.planned != 0 ? 1 : 0;
    return;
  }
  ++summary_.made;
  const auto bytes = std::filesystem::file_size(report.input, error);
  summary_.bytes_in += error ? 0 : bytes;
  summary_.bytes_out += report.file_bytes;
  summary_.megapixels += pixels / 1e6;
  const double seconds =
      report.encode != nullptr ? report.encode->encode_seconds : report.decode_seconds;
  if (seconds > summary_.slowest_seconds) {
    summary_.slowest_seconds = seconds;
    summary_.slowest = report.input;
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
  if (options_.json_lines) {
    print_line(outcome.text.json);
  }
  if (outcome.error) {
    report_error(*outcome.error);
    return;
  }
  if (options_.json || options_.json_lines || options_.quiet) {
    return;
  }
  // Standard output may carry the file.
  FILE* out = options_.output == kStandardStream ? stderr : stdout;
  if (!outcome.text.line.empty()) {
    std::fprintf(out, "%s\n", printable(outcome.text.line).c_str());
  }
  for (const std::string& note : outcome.text.notes) {
    std::fprintf(stderr, "%s\n", printable(note).c_str());
  }
}

void FileResults::print_array() {
  if (options_.json && !array_was_printed_) {
    print_json(results_);
    std::fflush(stdout);
    array_was_printed_ = true;
  }
}

void FileResults::print_end() {
  print_array();
  if (is_interrupted()) {
    return;
  }
  if (is_on_ranks(options_.backend)) {
    std::fflush(stdout);
    print_ranks();
  } else if (!options_.json && !options_.json_lines && !options_.quiet && file_count_ > 1) {
    print_summary();
  }
}

void FileResults::print_summary() const {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::string counts;
  const auto add = [&](size_t count, const char* what) {
    if (count > 0) {
      counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    }
  };
  add(summary_.made, "made");
  add(summary_.unchanged, "unchanged");
  add(summary_.planned, "to be made");
  add(summary_.failed, "failed");
  std::printf("%zu files: %s", file_count_, counts.c_str());
  if (summary_.made > 0) {
    std::printf("; %.1f MB in, %.1f MB out, %.1f MP/s; slowest: %s (%.2f s)",
                static_cast<double>(summary_.bytes_in) / 1e6,
                static_cast<double>(summary_.bytes_out) / 1e6,
                summary_.megapixels / std::max(seconds, 1e-9), printable(summary_.slowest).c_str(),
                summary_.slowest_seconds);
  }
  std::printf("; %.2f s\n", seconds);
}

void FileResults::print_ranks() const {
  if (options_.quiet || file_count_ < 2) {
    return;
  }
  RankTotal all;
  for (const RankTotal& total : totals_) {
    all.files += total.files;
    all.failures += total.failures;
    all.megapixels += total.megapixels;
  }
  FILE* out = options_.json || options_.json_lines ? stderr : stdout;
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

// The array first: with MPI the process may end with the error.
void FileResults::tell_end(const Error& error) {
  if (told_ == 0 && !failure_was_told_) {
    report_failed_list(options_, error);
  } else {
    if (told_ > 0) {
      print_array();
    }
    report_error(error);
  }
  failure_was_told_ = true;
}

int FileResults::finish(const Status& outcome) {
  progress_.clear();
  const bool is_news =
      !first_failure_ || (!outcome && outcome.error().code == ErrorCode::kInterrupted);
  if (!outcome && is_news && !failure_was_told_) {
    tell_end(outcome.error());
  }
  if (first_failure_) {
    return static_cast<int>(first_failure_->code);
  }
  return outcome ? 0 : static_cast<int>(outcome.error().code);
}

}  // namespace tessera::cli
