// Reads the limits that a caller gives, and fills in the others.
#include "api/limits.h"

#include "api/decode.h"
#include "api/errors.h"
#include "base/read_budget.h"
#ifdef TESSERA_HAVE_FILES
#include "files/machine_memory.h"
#endif

namespace tessera::api {
namespace {

// Three quarters of the machine's memory, where that is known.
uint64_t usual_memory() {
#ifdef TESSERA_HAVE_FILES
  return machine_memory() / 4 * 3;
#else
  return UINT64_MAX;
#endif
}

}  // namespace

Result<Limits> read_limits(const tessera_limits* given) {
  TESSERA_ASSIGN_OR_RETURN(const tessera_limits chosen, read_options(given, "tessera_limits"));
  Limits limits = chosen.untrusted != 0 ? untrusted_limits() : Limits();
  limits.max_memory = std::min(limits.max_memory, usual_memory());
  if (chosen.max_pixels != 0) {
    limits.max_pixels = chosen.max_pixels;
  }
  if (chosen.max_memory != 0) {
    limits.max_memory = chosen.max_memory;
    limits.memory_per_file_byte = 0;
  }
  if (chosen.max_file != 0) {
    limits.max_file = chosen.max_file;
  }
  if (chosen.max_seconds != 0) {
    limits.max_seconds = chosen.max_seconds;
  }
  limits.caller_copies = chosen.caller_copies;
  limits.caller_bytes_per_pixel = chosen.caller_bytes_per_pixel;
  limits.caller_bytes = chosen.caller_bytes;
  limits.caller_files = chosen.caller_files;
  return limits;
}

}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_check_memory(const tessera_limits* limits, const char* name, uint64_t bytes,
                                    tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_ASSIGN_OR_RETURN(const Limits known, read_limits(limits));
    return ReadBudget(known, nullptr).check_memory(display_name(name), {.scratch = bytes});
  });
}
