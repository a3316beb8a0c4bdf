// Finds and removes temporary files that nobody needs any more.
#include "files/old_temporaries.h"

#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <mutex>

namespace tessera {
namespace {

constexpr std::time_t kOldAge = 24 * 60 * 60;  // seconds

bool is_temporary_name(std::string_view name) {
  constexpr size_t kDigits = 16;
  if (name.size() != kTemporaryPrefix.size() + kDigits + kTemporarySuffix.size() ||
      !name.starts_with(kTemporaryPrefix) || !name.ends_with(kTemporarySuffix)) {
    return false;
  }
  const std::string_view digits = name.substr(kTemporaryPrefix.size(), kDigits);
  return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_abandoned(const std::string& path) {
  struct stat info = {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::getuid() &&
         std::time(nullptr) - info.st_mtime > kOldAge;
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

void remove_old_temporaries(const std::string& folder) {
  if (!is_new_folder(folder)) {
    return;
  }
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (is_temporary_name(at->path().filename().string()) && is_abandoned(at->path().string())) {
      ::unlink(at->path().c_str());
    }
  }
}

}  // namespace tessera
