// Compares paths with patterns, in time that grows with the product of their lengths at most.
#include "files/path_pattern.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tessera {
namespace {

// Takes one element that stands for one character off the pattern. False where `c` is none of what
// it stands for. A bracket that is not closed stands for itself.
bool take_character(std::string_view& pattern, char c) {
  const char first = pattern.front();
  const size_t end = first == '[' ? pattern.find(']', 2) : std::string_view::npos;
  if (end == std::string_view::npos) {
    pattern.remove_prefix(1);
    return first == '?' || first == c;
  }
  std::string_view set = pattern.substr(1, end - 1);
  pattern.remove_prefix(end + 1);
  const bool is_inverse = set.front() == '!' || set.front() == '^';
  set.remove_prefix(is_inverse ? 1 : 0);
  bool is_among = false;
  while (!set.empty()) {
    const bool is_range = set.size() > 2 && set[1] == '-';
    is_among |= is_range ? set[0] <= c && c <= set[2] : set[0] == c;
    set.remove_prefix(is_range ? 3 : 1);
  }
  return is_among != is_inverse;
}

// One part of a path. After a mismatch the last star takes one character more: earlier stars need
// not be tried again.
bool matches_part(std::string_view pattern, std::string_view part) {
  std::optional<std::string_view> after_star;
  std::string_view rest_after_star;
  while (!part.empty()) {
    if (!pattern.empty() && pattern.front() == '*') {
      pattern.remove_prefix(1);
      after_star = pattern;
      rest_after_star = part;
      continue;
    }
    if (!pattern.empty() && take_character(pattern, part.front())) {
      part.remove_prefix(1);
      continue;
    }
    if (!after_star) {
      return false;
    }
    rest_after_star.remove_prefix(1);
    pattern = *after_star;
    part = rest_after_star;
  }
  return pattern.find_first_not_of('*') == std::string_view::npos;
}

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) {
      parts.push_back(path.substr(0, slash));
    }
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

}  // namespace

bool matches_path(std::string_view pattern, std::string_view path) {
  const std::vector<std::string_view> parts = parts_of(path);
  if (pattern.find('/') == std::string_view::npos && pattern != "**") {
    return !parts.empty() && matches_part(pattern, parts.back());
  }
  const std::vector<std::string_view> patterns = parts_of(pattern);
  // Whether the patterns so far mean the first i parts.
  std::vector<bool> means(parts.size() + 1, false);
  means[0] = true;
  for (const std::string_view one : patterns) {
    std::vector<bool> next(parts.size() + 1, false);
    for (size_t i = 0; i <= parts.size(); ++i) {
      if (one == "**") {
        next[i] = means[i] || (i > 0 && next[i - 1]);
      } else if (i > 0) {
        next[i] = means[i - 1] && matches_part(one, parts[i - 1]);
      }
    }
    means = next;
  }
  return means.back();
}

}  // namespace tessera
