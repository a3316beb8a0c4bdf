// What somebody may have meant who typed a word that there is not.
#pragma once

#include <string>
#include <vector>

namespace tessera::cli {

// " (did you mean encode?)", or "" where no word is like it.
std::string suggestion_for(const std::string& typed, const std::vector<std::string>& words);

}  // namespace tessera::cli
