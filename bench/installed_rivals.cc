// Finds the rivals: compiled in, or a command in PATH.
#include "installed_rivals.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace tessera::bench {

std::vector<std::string> installed_rivals() {
  std::vector<std::string> names;
#ifdef TESSERA_HAVE_BENCH
  names.emplace_back("stb_dxt");
#endif
#ifdef TESSERA_HAVE_SQUISH
  names.emplace_back("squish");
#endif
  if (have_astcenc()) {
    names.emplace_back("astcenc");
  }
  return names;
}

bool have_astcenc() {
  const char* path = std::getenv("PATH");
  std::string folders = path == nullptr ? "" : path;
  for (size_t begin = 0; begin <= folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    if (::access((folders.substr(begin, end - begin) + "/astcenc").c_str(), X_OK) == 0) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

}  // namespace tessera::bench
