// Draws the line of progress.
#include "list_progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "process.h"

namespace tessera::cli {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(300);  // before anything is shown
constexpr auto kPause = std::chrono::milliseconds(100);     // between two pictures of it

size_t terminal_width() {
  winsize size = {};
  constexpr size_t kUsual = 80;  // characters
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

// The end of a path tells the most.
std::string shortened(const std::string& path, size_t characters) {
  return path.size() <= characters
             ? path
             : "…" + path.substr(path.size() - std::max<size_t>(characters, 2) + 1);
}

std::string time_text(double seconds) {
  char text[32];
  const auto whole = static_cast<unsigned long>(std::max(0.0, seconds) + 0.5);
  if (whole < 60) {
    std::snprintf(text, sizeof text, "%lu s", whole);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof text, "%lu min %02lu s", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%lu h %02lu min", whole / 3600, whole / 60 % 60);
  }
  return text;
}

}  // namespace

ListProgress::ListProgress(bool quiet) : is_enabled_(!quiet && can_show_progress()) {}

void ListProgress::set_count(size_t files) {
  const std::lock_guard lock(mutex_);
  count_ = files;
}

void ListProgress::begin(const std::string& input) {
  if (!is_enabled_) {
    return;
  }
  const std::lock_guard lock(mutex_);
  begun_[input] = 0;
  current_ = input;
  show();
}

void ListProgress::advance(const std::string& input, double fraction) {
  if (!is_enabled_) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (const auto found = begun_.find(input); found != begun_.end()) {
    found->second = fraction;
    show();
  }
}

void ListProgress::end(const std::string& input, bool was_made, double megapixels) {
  if (!is_enabled_) {
    return;
  }
  const std::lock_guard lock(mutex_);
  begun_.erase(input);
  done_ += was_made ? 1 : 0;
  count_ -= was_made || count_ == 0 ? 0 : 1;
  megapixels_ += megapixels;
  show();
}

void ListProgress::clear() {
  const std::lock_guard lock(mutex_);
  if (is_visible_) {
    std::fputs("\r\033[K", stderr);
    is_visible_ = false;
    shown_at_ = {};
  }
}

std::string ListProgress::text() const {
  double done = static_cast<double>(done_);
  for (const auto& [input, fraction] : begun_) {
    done += fraction;
  }
  const double share =
      std::clamp(done / static_cast<double>(std::max<size_t>(count_, 1)), 0.0, 1.0);
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const size_t width = terminal_width();
  char numbers[200];
  if (count_ == 1) {
    constexpr size_t kBar = 30;  // characters
    const auto filled = static_cast<size_t>(share * kBar);
    std::snprintf(numbers, sizeof numbers, " [%s%s] %d %%", std::string(filled, '#').c_str(),
                  std::string(kBar - filled, '.').c_str(), static_cast<int>(share * 100));
    return shortened(current_, width > kBar + 20 ? width - kBar - 12 : 8) + numbers;
  }
  const std::string left = share > 0 ? time_text(elapsed * (1 - share) / share) + " left" : "";
  std::snprintf(numbers, sizeof numbers, "%zu of %zu files, %.1f MP/s%s%s", done_, count_,
                megapixels_ / std::max(elapsed, 1e-9), left.empty() ? "" : ", ", left.c_str());
  const std::string start = numbers;
  return start.size() + 12 < width ? start + ", " + shortened(current_, width - start.size() - 3)
                                   : start.substr(0, width - 1);
}

void ListProgress::show() {
  const auto now = std::chrono::steady_clock::now();
  if (now - start_ < kPatience || now - shown_at_ < kPause) {
    return;
  }
  shown_at_ = now;
  is_visible_ = true;
  std::fprintf(stderr, "\r\033[K%s", printable(text()).c_str());
  std::fflush(stderr);
}

}  // namespace tessera::cli
