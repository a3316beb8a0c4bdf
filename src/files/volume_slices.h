// Pictures that are the slices of one volume.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "files/pipeline.h"

namespace tessera {

// Whether a path comes before another by the numbers in them: slice_9.png before slice_10.png.
bool comes_before_by_number(const std::string& a, const std::string& b);

// The slices of job.slices, each as the encoder takes it, one behind the other. The first one
// decides the plan, as its colour space is that of the volume; all must have its size.
// `source_hash` receives the hash of all files together.
Result<PictureToEncode> read_volume_slices(const EncodeJob& job, const RunControl& control,
                                           uint64_t& source_hash);

}  // namespace tessera
