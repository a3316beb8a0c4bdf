// Our own encoders in the benchmark.
#pragma once

#include "contender.h"
#include "exec/backend.h"

namespace tessera::bench {

// Fails where the settings do. The backend must outlive the contender.
Result<std::unique_ptr<Contender>> make_tessera_contender(const Codec& codec,
                                                          const CodecSettings& settings,
                                                          Backend& backend);

}  // namespace tessera::bench
