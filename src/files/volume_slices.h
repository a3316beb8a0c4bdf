// Pictures that are the slices of one texture: of a volume, an array or a cube map.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "files/pipeline.h"

namespace tessera {

// Whether a path comes before another by the numbers in them: slice_9.png before slice_10.png.
bool comes_before_by_number(const std::string& a, const std::string& b);

// What a group of pictures is called: "a volume", "an array", "a cube map".
std::string group_name(PictureGroup group);

// The slices of job.slices, each as the encoder takes it, one behind the other. The first one
// decides the plan, as its colour space is that of all; all must have its size and channels.
// `source_hash` receives the hash of all files together.
Result<PictureToEncode> read_slices(const EncodeJob& job, const RunControl& control,
                                    uint64_t& source_hash);

}  // namespace tessera
