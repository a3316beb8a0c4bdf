// What lists of files on this machine and on the ranks of an MPI job share.
#pragma once

#include <string>
#include <vector>

#include "api/encode.h"
#include "base/result.h"
#include "exec/backend.h"
#include "files/file_report.h"
#include "files/file_runner.h"
#include "files/pipeline.h"
#include "tessera/tessera.h"

namespace tessera::api {

// The control of one file: the caller's for it, and the stop of the whole list. One thread at a
// time may call it.
Result<RunControl> control_of(const tessera_files_options& options, const std::string& input);

// Goes through the files and tells the caller of each. `encoders` are those of the jobs.
Status run_encode_files(const EncodeList& list, const std::vector<const tessera_encoder*>& encoders,
                        FileExecutor<FileEncodeReport>& executor,
                        const tessera_files_options& options, unsigned threads);

}  // namespace tessera::api
