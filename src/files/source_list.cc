// Searches folders and reads lists.
#include "files/source_list.h"

#include <algorithm>
#include <filesystem>

#include "files/file.h"
#include "files/path_pattern.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestList = 8;  // lists that name lists
// What reading a list counts at least: few lists could name each other very often.
constexpr uint64_t kLeastListBytes = 4096;

std::string small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

bool is_any_of(const std::vector<std::string>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches_path(pattern, name); });
}

class Search {
 public:
  explicit Search(const SourceRequest& request)
      : request_(request), list_bytes_left_(request.most_list_bytes) {}

  Status add_input(const std::string& input, int depth) {
    std::error_code ignored;
    if (input.starts_with('@')) {
      list_.may_be_several = true;
      return add_list(input.substr(1), depth);
    }
    if (input != kStandardStream && fs::is_directory(input, ignored)) {
      list_.may_be_several = true;
      return add_folder(input);
    }
    const std::string name = fs::path(input).filename().string();
    // What was named is taken whatever its type.
    if (input == kStandardStream || is_chosen(name)) {
      list_.files.push_back({input, name});
    }
    return {};
  }

  SourceList take() { return std::move(list_); }

 private:
  bool is_chosen(const std::string& name) const {
    return (request_.include.empty() || is_any_of(request_.include, name)) &&
           !is_any_of(request_.exclude, name);
  }

  bool is_known_type(const fs::path& path) const {
    const std::string extension = small_letters(path.extension().string());
    return std::find(request_.extensions.begin(), request_.extensions.end(), extension) !=
           request_.extensions.end();
  }

  bool is_skipped_folder(const fs::path& path) const {
    std::error_code ignored;
    return path.filename().string().starts_with('.') ||
           (!request_.skip_folder.empty() && fs::equivalent(path, request_.skip_folder, ignored));
  }

  Status add_folder(const std::string& folder) {
    std::error_code error;
    std::vector<SourceFile> found;
    fs::recursive_directory_iterator place(folder, error);
    for (; !error && place != fs::recursive_directory_iterator(); place.increment(error)) {
      const fs::directory_entry& entry = *place;
      std::error_code ignored;
      if (entry.is_directory(ignored)) {
        if (is_skipped_folder(entry.path())) {
          place.disable_recursion_pending();
        }
        continue;
      }
      const std::string name = entry.path().lexically_relative(folder).generic_string();
      const bool is_hidden = entry.path().filename().string().starts_with('.');
      if (!is_hidden && entry.is_regular_file(ignored) && is_chosen(name) &&
          (!request_.include.empty() || is_known_type(entry.path()))) {
        found.push_back({entry.path().string(), name});
      }
    }
    if (error) {
      return io_error("cannot read the folder " + folder + ": " + error.message());
    }
    // Not as the file system has them: ranks and later runs have the same order.
    std::sort(found.begin(), found.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
    list_.files.insert(list_.files.end(), found.begin(), found.end());
    return {};
  }

  Status add_list(const std::string& path, int depth) {
    if (depth == kDeepestList) {
      return usage_error("the list " + path + " is named by lists that name each other");
    }
    TESSERA_ASSIGN_OR_RETURN(
        const Bytes bytes,
        read_table(path, "a list of files", request_.most_list_bytes, request_.cancelled));
    const uint64_t counted = std::max<uint64_t>(bytes.size(), kLeastListBytes);
    if (counted > list_bytes_left_) {
      return failed_error("lists of files, up to " + path + ", count as more than " +
                          std::to_string(request_.most_list_bytes >> 20) +
                          " MiB together (each as 4 KiB at least), which is the limit for them");
    }
    list_bytes_left_ -= counted;
    const std::string text(bytes.begin(), bytes.end());
    if (text.find('\0') != std::string::npos) {
      return invalid_error(path + " is not a list of files: it holds bytes that are no text");
    }
    for (size_t start = 0; start < text.size();) {
      const size_t end = std::min(text.find('\n', start), text.size());
      std::string line = text.substr(start, end - start);
      line.resize(line.size() - (line.ends_with('\r') ? 1 : 0));
      if (!line.empty() && !line.starts_with('#')) {
        TESSERA_RETURN_IF_ERROR(add_input(line, depth + 1));
      }
      start = end + 1;
    }
    return {};
  }

  const SourceRequest& request_;
  uint64_t list_bytes_left_;  // of all lists together
  SourceList list_;
};

std::string nothing_found(const std::vector<std::string>& inputs, const SourceRequest& request) {
  const std::string where = inputs.size() == 1 ? inputs.front() : "none of the inputs";
  std::string sentence = inputs.size() == 1 ? where + " holds no " : where + " holds ";
  sentence += request.kind;
  return request.include.empty() && request.exclude.empty() ? sentence
                                                            : sentence + " that the patterns leave";
}

}  // namespace

Result<SourceList> find_sources(const std::vector<std::string>& inputs,
                                const SourceRequest& request) {
  Search search(request);
  for (const std::string& input : inputs) {
    TESSERA_RETURN_IF_ERROR(search.add_input(input, 0));
  }
  SourceList list = search.take();
  list.may_be_several |= inputs.size() > 1;
  if (list.files.empty()) {
    return io_error(nothing_found(inputs, request));
  }
  return list;
}

}  // namespace tessera
