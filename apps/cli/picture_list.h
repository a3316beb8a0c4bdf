// The pictures that inputs mean, as a run would list them.
#pragma once

#include <string>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::cli {

struct PictureChoice {
  std::vector<std::string> include = {};  // patterns of names
  std::vector<std::string> exclude = {};
};

Result<std::vector<std::string>> list_pictures(const std::vector<std::string>& inputs,
                                               const PictureChoice& choice = {});

}  // namespace tessera::cli
