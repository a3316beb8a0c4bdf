// Reads the options of tone mapping.
#include "codec/tone_mapping.h"

#include <string>

#include "codec/options.h"

namespace tessera {

Result<std::optional<ToneMap>> read_tone_map(const OptionReader& reader) {
  const auto curve = reader.choice("tonemap");
  const auto exposure = reader.number("exposure");
  if (!curve && exposure) {
    return usage_error("--exposure needs --tonemap");
  }
  std::optional<ToneMap> map;
  if (curve) {
    map = ToneMap{static_cast<ToneCurve>(*curve), static_cast<float>(exposure.value_or(0))};
  }
  return map;
}

OptionList tone_map_options(const ToneMap& map) {
  OptionList options = {{"tonemap", std::string(kToneCurves[static_cast<size_t>(map.curve)])}};
  if (map.exposure != 0) {
    options.push_back({"exposure", number_text(double{map.exposure})});
  }
  return options;
}

}  // namespace tessera
