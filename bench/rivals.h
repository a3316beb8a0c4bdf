// Other encoders, when they are installed.
#pragma once

#include <string>
#include <vector>

#include "base/preset.h"
#include "contender.h"

namespace tessera::bench {

// The rivals of `names` that encode the subject's format; "all" stands for those installed. Presets
// matter to rivals that know them (astcenc). Fails for an unknown or missing rival.
Result<Contenders> make_rivals(const std::vector<std::string>& names, const Subject& subject,
                               const std::vector<Preset>& presets);

// The settings of each rival for a subject (none for other formats).
Contenders make_stb_contenders(const Subject& subject);
Contenders make_squish_contenders(const Subject& subject);
Contenders make_astcenc_contenders(const Subject& subject, const std::vector<Preset>& presets);

}  // namespace tessera::bench
