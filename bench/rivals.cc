// Chooses rivals by their names.
#include "rivals.h"

#include <algorithm>

#include "installed_rivals.h"

namespace tessera::bench {
namespace {

constexpr const char* kAllRivals[] = {"stb_dxt", "squish", "astcenc"};

bool is_installed(const std::string& name) {
  const std::vector<std::string> installed = installed_rivals();
  return std::find(installed.begin(), installed.end(), name) != installed.end();
}

Contenders contenders_of(const std::string& name, const Subject& subject,
                         const std::vector<Preset>& presets) {
  if (name == "stb_dxt") {
    return make_stb_contenders(subject);
  }
  return name == "squish" ? make_squish_contenders(subject)
                          : make_astcenc_contenders(subject, presets);
}

}  // namespace

Result<Contenders> make_rivals(const std::vector<std::string>& names, const Subject& subject,
                               const std::vector<Preset>& presets) {
  std::vector<std::string> chosen;
  for (const std::string& name : names) {
    if (name == "all") {
      chosen = installed_rivals();
    } else if (std::find(std::begin(kAllRivals), std::end(kAllRivals), name) ==
               std::end(kAllRivals)) {
      return usage_error("'" + name + "' is not a rival (all, none, stb_dxt, squish, astcenc)");
    } else if (!is_installed(name)) {
      return unsupported_error("the rival " + name + " is not installed");
    } else {
      chosen.push_back(name);
    }
  }
  Contenders contenders;
  for (const std::string& name : chosen) {
    for (auto& contender : contenders_of(name, subject, presets)) {
      contenders.push_back(std::move(contender));
    }
  }
  return contenders;
}

}  // namespace tessera::bench
