// Asks the system for the memory of the machine, of the container and of the process.
#include "files/machine_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string_view>

namespace tessera {
namespace {

// The number in a file of the system; no limit where there is none ("max" is no number).
uint64_t limit_in(const std::string& path) {
  std::ifstream file(path);
  uint64_t bytes = 0;
  return file >> bytes && bytes > 0 ? bytes : UINT64_MAX;
}

// The path of the process's group of version 2, such as "/user.slice/x.service": "" where there is
// none, and for the root. Each line of the file is "number:controllers:path"; version 2 has 0 and
// no controllers.
std::string own_group(const std::string& root) {
  constexpr std::string_view kStart = "0::/";
  std::ifstream file(root + "/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with(kStart)) {
      const std::string path = line.substr(kStart.size() - 1);
      return path == "/" ? "" : path;
    }
  }
  return "";
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
  return std::min(bytes, control_group_memory());
}

}  // namespace

uint64_t control_group_memory(const std::string& root) {
  const std::string groups = root + "/sys/fs/cgroup";
  // In a container the root of what it sees has its limit; the path may begin with "/.." then.
  uint64_t bytes = std::min(limit_in(groups + "/memory.max"),
                            limit_in(groups + "/memory/memory.limit_in_bytes"));
  for (std::string group = own_group(root); !group.empty(); group.resize(group.find_last_of('/'))) {
    bytes = std::min(bytes, limit_in(groups + group + "/memory.max"));
  }
  return bytes;
}

uint64_t machine_memory() {
  static const uint64_t bytes = find_memory();
  return bytes;
}

}  // namespace tessera
