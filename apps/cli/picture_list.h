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

struct ListedPicture {
  std::string path;
  std::string name;  // in its folder: what rules know it by
};

// In the order of their paths.
Result<std::vector<ListedPicture>> list_named_pictures(const std::vector<std::string>& inputs,
                                                       const PictureChoice& choice = {},
                                                       const Limits& limits = {});
Result<std::vector<std::string>> list_pictures(const std::vector<std::string>& inputs,
                                               const PictureChoice& choice = {},
                                               const Limits& limits = {});

}  // namespace tessera::cli
