// Other encoders, when they are installed.
#pragma once

#include <string>
#include <vector>

#include "base/preset.h"
#include "contender.h"

namespace tessera::bench {

// Names of the rivals that can run here.
std::vector<std::string> installed_rivals();

// The rivals of `names` that encode the subject's format; "all" stands for those installed. Presets
// matter to rivals that know them (astcenc). Fails for an unknown or missing rival.
Result<Contenders> make_rivals(const std::vector<std::string>& names, const Subject& subject,
                               const std::vector<Preset>& presets);

// One pair a rival: whether it can run, and its settings for a subject (none for other formats).
bool have_stb();
Contenders make_stb_contenders(const Subject& subject);

bool have_squish();
Contenders make_squish_contenders(const Subject& subject);

Contenders make_astcenc_contenders(const Subject& subject, const std::vector<Preset>& presets);

}  // namespace tessera::bench
