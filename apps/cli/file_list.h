// Files to files, what encode and decode share: the options, and telling what became of each file,
// in the order of the inputs, as text or JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "backend_options.h"
#include "client.h"
#include "list_progress.h"

namespace tessera::cli {

struct FileListOptions {
  std::vector<std::string> inputs;
  std::string output;
  BackendOptions backend;
  Limits limits;
  std::vector<std::string> include;  // patterns
  std::vector<std::string> exclude;
  bool json = false;
  bool json_lines = false;
  bool quiet = false;
  bool fsync = false;
  bool resume = false;
  bool force = false;
  bool dry_run = false;
  bool one_file = false;  // all inputs become one file
};

// --include, --exclude, --resume, --force, --dry-run, --threads, --backend, --device, --json,
// --json-lines, --quiet, --fsync and the limits of inputs.
void add_file_list_options(CLI::App& command, FileListOptions& options);

// An error where the options do not go together.
Status check_file_list(const FileListOptions& options);

// For an error that ends a run before any file has been told: the sentence, and in JSON that each
// of the inputs has failed. Returns the exit code.
int report_failed_list(const FileListOptions& options, const Error& error);

// Whether the outputs go into a folder: there are several inputs, or one that is a folder or a
// list, or the output is a folder or ends with a slash.
bool is_folder_output(const FileListOptions& options);

// Folders, standard output and devices: the output's name does not tell a file type.
bool is_unnamed_output(const FileListOptions& options);

// The container that the output's name tells, in small letters; "" where it tells none.
std::string named_container(const FileListOptions& files);

// What is said about a file that is done.
struct FileText {  // NOLINT(bugprone-exception-escape): moving a Json does not throw
  Json json;
  std::string line;                // for people, without a line break; "": nothing is said
  std::vector<std::string> notes;  // for standard error
};

class FileResults {
 public:
  using Describe = std::function<FileText(const FileReport&)>;

  FileResults(const FileListOptions& options, uint32_t rank_count, Describe describe);

  // To go through the files with; valid as long as this lives.
  FileCalls calls();

  // When all files have been gone through: tells an error that no file has told, and returns the
  // exit code, which is that of the first failure.
  int finish(const Status& outcome);

 private:
  struct Outcome {  // NOLINT(bugprone-exception-escape): as FileText
    FileText text;
    std::optional<Error> error;
    uint32_t rank = 0;
    std::vector<double> megapixels;  // by rank
  };
  struct RankTotal {
    uint64_t files = 0;
    uint64_t failures = 0;
    double megapixels = 0;
  };
  // What the summary tells.
  struct Totals {
    size_t made = 0;
    size_t unchanged = 0;
    size_t planned = 0;
    size_t failed = 0;
    uint64_t bytes_in = 0;
    uint64_t bytes_out = 0;
    double megapixels = 0;
    double slowest_seconds = 0;  // of encoding or decoding one file
    std::string slowest;
  };
  void add(const FileReport& report);
  void add_to_totals(const FileReport& report);
  void print(const Outcome& outcome) const;
  void count(const Outcome& outcome);
  void print_array();
  void print_end();
  void tell_end(const Error& error);
  void print_summary() const;
  void print_ranks() const;

  const FileListOptions& options_;
  const Describe describe_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  ListProgress progress_;
  // Nothing is kept of a file that has been told, but for JSON, which is printed at the end: a list
  // may be very long.
  size_t file_count_ = 0;
  size_t told_ = 0;
  std::vector<Json> results_;
  bool array_was_printed_ = false;
  std::optional<Error> first_failure_;
  std::vector<RankTotal> totals_;
  Totals summary_;
  bool failure_was_told_ = false;  // an error that is not that of one file
};

}  // namespace tessera::cli
