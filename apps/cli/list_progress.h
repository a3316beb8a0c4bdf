// How far a list of files is, on a terminal.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace tessera::cli {

// One line on standard error that is written again and again: files done of all, megapixels per
// second, the time that is left, and the file that was begun last; a bar where there is one file
// only. Nothing where standard error is no terminal. From any thread.
class ListProgress {
 public:
  explicit ListProgress(bool quiet);
  ~ListProgress() { clear(); }
  ListProgress(const ListProgress&) = delete;
  ListProgress& operator=(const ListProgress&) = delete;

  bool is_shown() const { return is_enabled_; }
  void set_count(size_t files);
  void begin(const std::string& input);
  // `fraction` of the work on the file, 0 to 1.
  void advance(const std::string& input, double fraction);
  // The file has been told. Files that were kept take no time.
  void end(const std::string& input, bool was_made, double megapixels);
  // Takes the line away, so that another one can be printed.
  void clear();

 private:
  void show();
  std::string text() const;

  const bool is_enabled_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  size_t count_ = 0;  // of files that are made
  size_t done_ = 0;
  double megapixels_ = 0;
  std::map<std::string, double> begun_;  // how far each is
  std::string current_;
  bool is_visible_ = false;
  std::chrono::steady_clock::time_point shown_at_;
};

}  // namespace tessera::cli
