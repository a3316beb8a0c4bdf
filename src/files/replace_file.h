// Puts a file without a name in the place of another file.
#pragma once

#include <string>

namespace tessera {

// `from` becomes the file `path`; for the moment between two calls it is called `temporary`, which
// lies in the same folder. A process that is killed at that moment leaves nothing behind: a helper
// process makes both calls. Returns 0 or the system's error number, and leaves no `temporary`.
int replace_file(const std::string& from, const std::string& temporary, const std::string& path);

}  // namespace tessera
