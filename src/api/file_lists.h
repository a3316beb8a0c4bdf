// What lists of files on this machine and on the ranks of an MPI job share.
#pragma once

#include <string>
#include <vector>

#include "api/encode.h"
#include "base/result.h"
#include "exec/backend.h"
#include "files/file_plan.h"
#include "files/file_report.h"
#include "files/file_runner.h"
#include "files/pipeline.h"
#include "tessera/tessera.h"

namespace tessera::api {

WriteDurability durability_of(const tessera_files_options& options);

// The control of one file: the caller's for it, and the stop of the whole list.
Result<RunControl> control_of(const tessera_files_options& options, const std::string& input);

// All of a job but the names of its files. The name of the output may choose the container.
Result<EncodeJob> make_encode_job(const tessera_encoder& encoder,
                                  const std::vector<std::string>& inputs,
                                  const std::string& output);

// Goes through the files and tells the caller of each.
Status run_encode_files(const std::vector<FilePair>& files,
                        FileExecutor<FileEncodeReport>& executor,
                        const tessera_files_options& options);

}  // namespace tessera::api
