// Waiting until something changes in the folders that a run reads (inotify).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::cli {

class FolderWatch {
 public:
  // Folders are watched with all folders in them, but for hidden ones and `output`; of files, the
  // folder that they are in; of lists (@NAME), that folder and what they list.
  static Result<FolderWatch> create(const std::vector<std::string>& inputs,
                                    const std::string& output);
  FolderWatch(FolderWatch&& other) noexcept;
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;
  ~FolderWatch();

  // Until something has changed since the last call, and nothing more does for a moment. Fails when
  // a signal asks to stop.
  Status wait();

 private:
  explicit FolderWatch(int descriptor) : descriptor_(descriptor) {}
  Status add(const std::filesystem::path& folder, bool with_folders);
  Status add_input(const std::string& input);
  // What lists name is watched as far as it is there: the run tells what is not.
  void add_listed();
  // Takes the events that have come; whether there was one that matters.
  Result<bool> take_events();

  int descriptor_ = -1;
  std::filesystem::path output_;
  std::vector<std::string> lists_;  // which may name other files later
  struct Watched {
    std::filesystem::path folder;
    bool with_folders = false;
  };
  std::map<int, Watched> watched_;  // by inotify's number
};

}  // namespace tessera::cli
