// What the verbs share: errors, interruption and progress in the library's own types.
#pragma once

#include <atomic>

#include "backend_choice.h"
#include "base/result.h"
#include "exec/backend.h"
#include "process.h"

namespace tessera::cli {

// One sentence on standard error; returns the exit code.
int report_error(const Error& error);

// kInterrupted once a signal has asked to stop.
Status check_interrupted();

// What runs under a progress bar.
RunControl control_of(Progress& progress);

}  // namespace tessera::cli
