// Makes, locks and removes folders for the files of other programs.
#include "temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

namespace tessera::bench {
namespace {

constexpr std::string_view kPrefix = "tessera-bench-";

std::filesystem::path place() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  return error ? std::filesystem::path("/tmp") : folder;
}

// The lock of a folder of ours; none where another process has it, or it is not a folder of ours.
Descriptor lock_folder(const std::filesystem::path& path) {
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info = {};
  const bool is_locked = folder.is_open() && ::fstat(folder.get(), &info) == 0 &&
                         info.st_uid == ::getuid() &&
                         ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0 &&
                         std::filesystem::exists(path);  // nobody has removed it meanwhile
  return is_locked ? std::move(folder) : Descriptor(-1);
}

std::filesystem::path make_folder() {
  std::string pattern = (place() / (std::string(kPrefix) + "XXXXXX")).string();
  return ::mkdtemp(pattern.data()) != nullptr ? std::filesystem::path(pattern)
                                              : std::filesystem::path();
}

Descriptor make_locked_folder(std::filesystem::path& path) {
  constexpr int kTrials = 10;  // another process may take a new folder for an abandoned one
  for (int i = 0; i < kTrials; ++i) {
    path = make_folder();
    Descriptor lock = lock_folder(path);
    if (lock.is_open()) {
      return lock;
    }
  }
  path.clear();
  return Descriptor(-1);
}

}  // namespace

void remove_abandoned_folders() {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (std::filesystem::directory_iterator at(place(), error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().filename().string().starts_with(kPrefix)) {
      found.push_back(at->path());
    }
  }
  for (const std::filesystem::path& path : found) {
    const Descriptor lock = lock_folder(path);
    if (lock.is_open()) {
      std::filesystem::remove_all(path, error);
    }
  }
}

TemporaryFolder::TemporaryFolder() : lock_(make_locked_folder(path_)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) {
    std::filesystem::remove_all(path_, ignored);
  }
}

}  // namespace tessera::bench
