// Finds the block size and the preset that a plan's goals ask for, and encodes with them.
#pragma once

#include <vector>

#include "base/result.h"
#include "codec/goal_rules.h"
#include "codec/pipeline.h"

namespace tessera {

// Whatever is chosen from samples is confirmed on the whole picture before it counts. kFailed with
// a sentence where no settings reach a target, or none fit a limit.
Result<EncodedFile> encode_for_goals(const std::vector<ImageView>& levels, bool alpha_dropped,
                                     const EncodePlan& plan, Backend& backend,
                                     const RunControl& control);

}  // namespace tessera
