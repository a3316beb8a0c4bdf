// Textures on many ranks: large files as strips, small ones whole.
#pragma once

#include <functional>

#include "files/pipeline.h"
#include "mpi_batch.h"

namespace tessera::cli {

// What is said of an encoded file; the bytes are not its business.
using DescribeTexture =
    std::function<MadeFile(const EncodeJob&, const EncodeReport&, const Backend&)>;

// `job` is all but the files.
Result<MpiFormat> mpi_texture_format(const EncodeJob& job, const cluster::StripOptions& strips,
                                     const DescribeTexture& describe);

}  // namespace tessera::cli
