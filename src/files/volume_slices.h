// Pictures that are the slices of one volume.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "files/pipeline.h"

namespace tessera {

// Whether a path comes before another by the numbers in them: slice_9.png before slice_10.png.
bool comes_before_by_number(const std::string& a, const std::string& b);

// The slices of job.slices, each as the encoder of `plan` takes it, one behind the other. All must
// have the same size. `source_hash` receives the hash of all files together.
Result<PreparedImage> read_volume_slices(const EncodeJob& job, const EncodePlan& plan,
                                         const Encoder& encoder, const RunControl& control,
                                         uint64_t& source_hash);

}  // namespace tessera
