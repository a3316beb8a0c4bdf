// What the verbs share: errors, interruption and progress in the library's own types.
#include "session.h"

namespace tessera::cli {

int report_error(const Error& error) {
  return report_error(static_cast<int>(error.code), error.message);
}

Status check_interrupted() {
  return is_interrupted() ? Status(Error{ErrorCode::kInterrupted, "interrupted"}) : Status();
}

RunControl control_of(Progress& progress) {
  return {progress.callback(), &is_interrupted()};
}

}  // namespace tessera::cli
