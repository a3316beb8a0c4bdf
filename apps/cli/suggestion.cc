// Finds the word that is the fewest slips of the finger away.
#include "suggestion.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tessera::cli {
namespace {

// How many letters have to be put in, left out, changed, or exchanged with their neighbour.
size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<size_t> row(b.size() + 1, i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = last;
    last = row;
  }
  return last.back();
}

}  // namespace

std::string suggestion_for(const std::string& typed, const std::vector<std::string>& words) {
  constexpr size_t kLongest = 64;  // characters: nobody types a longer one
  if (typed.size() > kLongest) {
    return "";
  }
  std::string best;
  size_t least = std::max<size_t>(1, typed.size() / 3) + 1;
  for (const std::string& word : words) {
    const bool is_beginning = typed.size() > 2 && word.starts_with(typed);
    const size_t slips = is_beginning ? 1 : distance(typed, word);
    if (slips < least) {
      least = slips;
      best = word;
    }
  }
  return best.empty() ? "" : " (did you mean " + best + "?)";
}

}  // namespace tessera::cli
