// Runs of the astcenc command as the benchmark's results.
#pragma once

#include "astcenc_command.h"
#include "base/preset.h"
#include "base/result.h"
#include "containers/texture.h"

namespace tessera::bench {

inline Result<double> seconds_of(const AstcencRun& run) {
  if (run.end == ProgramEnd::kDone) {
    return run.seconds;
  }
  return Error{run.end == ProgramEnd::kInterrupted ? ErrorCode::kInterrupted : ErrorCode::kFailed,
               run.problem};
}

inline AstcencSettings astcenc_settings(const BlockSize& block, Preset preset) {
  AstcencSettings settings;
  settings.block = block_size_name(block);
  settings.quality = astcenc_quality(preset_name(preset));
  return settings;
}

}  // namespace tessera::bench
