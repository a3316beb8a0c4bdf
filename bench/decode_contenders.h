// Decoders in the benchmark: what is timed is decoding a file that was encoded beforehand.
#pragma once

#include <memory>

#include "contender.h"
#include "exec/backend.h"

namespace tessera::bench {

// ASTC files made by astcenc -fast, decoded by us and by astcenc; files made and decoded by us
// where there is no astcenc, and of other formats. The backend must outlive the contenders.
Contenders make_decode_contenders(const Codec& codec, const Subject& subject, Backend& backend);

}  // namespace tessera::bench
