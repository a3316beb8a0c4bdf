// Finds the files that have to be made.
#include "files/file_runner.h"

namespace tessera {

std::vector<size_t> files_to_make(const std::vector<FilePair>& files,
                                  const KeepingOutputs& keeping) {
  std::vector<uint8_t> is_current(files.size(), 0);  // not bool: threads write neighbours at once
  if (keeping.index != nullptr && !keeping.force) {
    std::atomic<size_t> next = 0;
    run_on_crew(keeping.threads, [&](unsigned) {
      const auto is_stopped = [&] { return keeping.cancelled != nullptr && *keeping.cancelled; };
      for (size_t i = next++; i < files.size() && !is_stopped(); i = next++) {
        is_current[i] = keeping.index->is_current(files[i], keeping.jobs[files[i].job]) ? 1 : 0;
      }
    });
  }
  std::vector<size_t> chosen;
  for (size_t i = 0; i < files.size(); ++i) {
    if (is_current[i] == 0) {
      chosen.push_back(i);
    }
  }
  return chosen;
}

}  // namespace tessera
