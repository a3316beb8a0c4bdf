// Fractal images for the pipeline: the payload is a whole .tsf file.
#pragma once

#include <memory>

#include "base/result.h"
#include "codec/codec.h"
#include "exec/backend.h"
#include "fractal/fractal_image.h"

namespace tessera {

const Codec& fractal_codec();

// The fractal module's threads, by a backend. The backend must outlive it.
fractal::ParallelFor parallel_on(Backend& backend, const RunControl& control);

}  // namespace tessera
