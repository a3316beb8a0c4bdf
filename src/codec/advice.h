// What each block size would make of a picture, and which one serves best.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "codec/pipeline.h"
#include "codec/settings_trials.h"

namespace tessera {

struct AdviceRow {
  BlockSize block;
  double bits_per_pixel = 0;  // of the block size
  uint64_t bytes = 0;         // of the file that the plan asks for, with zstd about
  Badness badness;            // estimated
};

struct Advice {
  std::vector<AdviceRow> rows;  // smallest blocks first
  size_t recommended = 0;
  std::string reason;  // one sentence without its full stop
};

// `levels` are as the plan's encoders take them, largest first. kFailed where the plan's goals
// cannot be met.
Result<Advice> advise(const std::vector<ImageView>& levels, const EncodePlan& plan,
                      Backend& backend, const RunControl& control);

}  // namespace tessera
