// A folder for files that are exchanged with other programs.
#pragma once

#include <filesystem>
#include <string>

#include "files/descriptor.h"

namespace tessera::bench {

// A folder that goes away with its owner. One whose owner was killed goes away when the next one is
// made: an owner holds a lock, which the system gives back when the process ends, however it ends.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  std::string file(const char* name) const { return (path_ / name).string(); }
  bool ok() const { return !path_.empty(); }

 private:
  std::filesystem::path path_;
  Descriptor lock_;
};

// Removes the folders of processes that have ended.
void remove_abandoned_folders();

}  // namespace tessera::bench
