// Asks the system for the memory of the machine, of the container and of the process.
#include "files/machine_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace tessera {
namespace {

// The number in a file of the system; no limit where there is none ("max" is no number).
uint64_t limit_in(const char* path) {
  std::ifstream file(path);
  uint64_t bytes = 0;
  return file >> bytes && bytes > 0 ? bytes : UINT64_MAX;
}

uint64_t find_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  uint64_t bytes = UINT64_MAX;
  if (pages > 0 && page_bytes > 0) {
    bytes = static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes);
  }
  rlimit allowed = {};
  if (::getrlimit(RLIMIT_AS, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY) {
    bytes = std::min<uint64_t>(bytes, allowed.rlim_cur);
  }
  // Of containers: control groups of version 2 and version 1.
  return std::min({bytes, limit_in("/sys/fs/cgroup/memory.max"),
                   limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

}  // namespace

uint64_t machine_memory() {
  static const uint64_t bytes = find_memory();
  return bytes;
}

}  // namespace tessera
