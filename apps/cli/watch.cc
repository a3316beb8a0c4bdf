// Watches folders with inotify.
#include "watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <sstream>
#include <utility>

#include "client.h"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kEvents =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR;
constexpr int kLookMilliseconds = 100;   // how soon a signal is seen
constexpr int kQuietMilliseconds = 200;  // programs write files in several steps

Error system_error(const std::string& what) {
  return {ErrorCode::kIo, what + ": " + std::strerror(errno)};
}

bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.size() > 1 && name[0] == '.' && name != "..";
}

bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

// Whether there is something to read within the time.
bool is_readable(int descriptor, int milliseconds) {
  pollfd waiting = {descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, milliseconds) > 0;
}

}  // namespace

Result<FolderWatch> FolderWatch::create(const std::vector<std::string>& inputs,
                                        const std::string& output) {
  const int descriptor = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor < 0) {
    return system_error("folders cannot be watched");
  }
  FolderWatch watch(descriptor);
  watch.output_ = output;
  for (const std::string& input : inputs) {
    const bool is_list = input.starts_with('@');
    std::error_code ignored;
    if (is_list && fs::exists(input.substr(1), ignored) &&
        !fs::is_regular_file(input.substr(1), ignored)) {
      return usage_error("--watch needs lists that can be read again: " + input.substr(1) +
                         " is no regular file");
    }
    if (const Status added = watch.add_input(is_list ? input.substr(1) : input); !added) {
      return added.error();
    }
    if (is_list) {
      watch.lists_.push_back(input.substr(1));
    }
  }
  watch.add_listed();
  return watch;
}

FolderWatch::FolderWatch(FolderWatch&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      output_(std::move(other.output_)),
      lists_(std::move(other.lists_)),
      watched_(std::move(other.watched_)) {}

FolderWatch::~FolderWatch() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

Status FolderWatch::add(const fs::path& folder, bool with_folders) {
  const int number = ::inotify_add_watch(descriptor_, folder.c_str(), kEvents);
  if (number < 0) {
    return system_error("the folder " + folder.string() + " cannot be watched");
  }
  // The same number where the folder is watched already.
  Watched& watched = watched_[number];
  const bool is_news = with_folders && !watched.with_folders;
  watched = {folder, with_folders || watched.with_folders};
  if (!is_news) {
    return {};
  }
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error) && !entry.is_symlink(error) && !is_hidden(entry.path()) &&
        !is_same(entry.path(), output_)) {
      if (Status added = add(entry.path(), true); !added) {
        return added;
      }
    }
  }
  return {};
}

Status FolderWatch::add_input(const std::string& input) {
  const fs::path path = input;
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  const fs::path parent = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  return add(is_folder ? path : parent, is_folder);
}

void FolderWatch::add_listed() {
  // Of all lists; each counts as a page of memory at least.
  constexpr uint64_t kMostBytes = uint64_t{64} << 20, kLeastBytes = 4096;
  uint64_t bytes_left = kMostBytes;
  Control control = {{}, &stop(), {}};
  // Lists may name lists, and each other: each is read once, whatever it is called.
  std::vector<std::string> waiting = lists_;
  std::set<std::pair<dev_t, ino_t>> known;
  while (!waiting.empty() && bytes_left > 0 && check_interrupted()) {
    const std::string list = std::move(waiting.back());
    waiting.pop_back();
    struct stat file = {};
    if (::stat(list.c_str(), &file) != 0 || !S_ISREG(file.st_mode) ||
        !known.emplace(file.st_dev, file.st_ino).second) {
      continue;
    }
    control.limits.max_file = bytes_left;
    const auto bytes = read_bytes(list, control);
    if (!bytes) {
      continue;
    }
    bytes_left -= std::min(bytes_left, std::max<uint64_t>(bytes->text().size(), kLeastBytes));
    std::istringstream lines{std::string(bytes->text())};
    for (std::string line; std::getline(lines, line) && check_interrupted();) {
      line.resize(line.size() - (line.ends_with('\r') ? 1 : 0));
      if (line.empty() || line.starts_with('#')) {
        continue;
      }
      const bool is_list = line.starts_with('@');
      line.erase(0, is_list ? 1 : 0);
      (void)add_input(line).ok();
      if (is_list) {
        waiting.push_back(line);
      }
    }
  }
}

Result<bool> FolderWatch::take_events() {
  alignas(inotify_event) std::array<char, 16384> buffer;
  bool matters = false;
  for (;;) {
    const ssize_t length = ::read(descriptor_, buffer.data(), buffer.size());
    if (length <= 0) {
      return matters;
    }
    for (ssize_t at = 0; at < length;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      const auto found = watched_.find(event->wd);
      const fs::path name = event->len > 0 ? fs::path(event->name) : fs::path();
      if ((event->mask & IN_Q_OVERFLOW) != 0) {
        matters = true;  // events were lost: look at everything
      } else if (found != watched_.end() && !is_hidden(name)) {
        const fs::path path = found->second.folder / name;
        const bool is_new_folder = (event->mask & IN_ISDIR) != 0 && found->second.with_folders &&
                                   (event->mask & (IN_CREATE | IN_MOVED_TO)) != 0;
        if (is_new_folder && !is_same(path, output_)) {
          (void)add(path, true).ok();  // it may be gone again
        }
        // A file that has been made matters when it is complete.
        matters |= (event->mask & IN_CREATE) == 0 || is_new_folder;
      }
    }
  }
}

Status FolderWatch::wait() {
  bool has_changed = false;
  for (;;) {
    if (Status status = check_interrupted(); !status) {
      return status;
    }
    const int patience = has_changed ? kQuietMilliseconds : kLookMilliseconds;
    if (!is_readable(descriptor_, patience)) {
      if (has_changed) {
        add_listed();
        return {};
      }
      continue;
    }
    const auto taken = take_events();
    if (!taken) {
      return taken.error();
    }
    has_changed |= *taken;
  }
}

}  // namespace tessera::cli
