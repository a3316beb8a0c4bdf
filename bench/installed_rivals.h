// Which other encoders the benchmark can run here. The command names them in --version, so this
// needs the standard library only.
#pragma once

#include <string>
#include <vector>

namespace tessera::bench {

std::vector<std::string> installed_rivals();

// The astcenc command is in a folder of PATH.
bool have_astcenc();

}  // namespace tessera::bench
