// Encodes a picture strip by strip while it is being read, so that it need not fit into memory.
#pragma once

#include <optional>

#include "base/result.h"
#include "exec/backend.h"
#include "files/pipeline.h"

namespace tessera {

// Nothing where the picture has to be, or may as well be, in memory as a whole: because of what the
// job asks for (mip levels and metrics need all pixels), because of its file, or because there is
// memory for it and nothing to be gained. The bytes are the same.
Result<std::optional<MadeFile>> encode_by_rows(const EncodeJob& job, Backend& backend,
                                               const RunControl& control);

}  // namespace tessera
