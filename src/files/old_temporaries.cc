// Finds and removes temporary files that nobody needs any more.
#include "files/old_temporaries.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <mutex>

#include "files/descriptor.h"

namespace tessera {
namespace {

constexpr std::time_t kOldAge = 24 * 60 * 60;  // seconds

// What is between prefix and suffix; empty where it is no name of ours.
std::string_view middle_of(std::string_view name) {
  constexpr size_t kDigits = 16;
  if (name.size() < kTemporaryPrefix.size() + kDigits + kTemporarySuffix.size() ||
      !name.starts_with(kTemporaryPrefix) || !name.ends_with(kTemporarySuffix)) {
    return {};
  }
  name.remove_prefix(kTemporaryPrefix.size());
  name.remove_suffix(kTemporarySuffix.size());
  const std::string_view digits =
      name.starts_with(kLockedMark) ? name.substr(kLockedMark.size()) : name;
  const bool is_ours = digits.size() == kDigits &&
                       digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return is_ours ? name : std::string_view();
}

bool is_locked(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return !file.is_open() || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0;
}

bool is_abandoned(const std::string& path, std::string_view name) {
  const std::string_view middle = middle_of(name);
  struct stat info = {};
  if (middle.empty() || ::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) ||
      info.st_uid != ::getuid()) {
    return false;
  }
  return middle.starts_with(kLockedMark) ? !is_locked(path)
                                         : std::time(nullptr) - info.st_mtime > kOldAge;
}

bool is_new_folder(const std::string& folder) {
  static std::mutex mutex;
  static std::string last;
  const std::lock_guard lock(mutex);
  if (last == folder) {
    return false;
  }
  last = folder;
  return true;
}

}  // namespace

void lock_temporary(int fd) {
  ::flock(fd, LOCK_EX | LOCK_NB);  // nobody else can have it yet
}

void remove_old_temporaries(const std::string& folder) {
  if (!is_new_folder(folder)) {
    return;
  }
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (is_abandoned(at->path().string(), at->path().filename().string())) {
      ::unlink(at->path().c_str());
    }
  }
}

}  // namespace tessera
