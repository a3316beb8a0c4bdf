// Lists of files as the caller gives them, turned into what is made of what.
#pragma once

#include <string>
#include <vector>

#include "api/encode.h"
#include "base/result.h"
#include "files/file_plan.h"
#include "files/file_runner.h"
#include "files/pipeline.h"
#include "tessera/tessera.h"

namespace tessera::api {

Result<std::vector<std::string>> read_inputs(const char* const* inputs, size_t count);

// The same on every rank: nothing is looked at but names. The name of the output may choose the
// container. `encoders` receives the encoder of each of the jobs.
Result<EncodeList> plan_encode_list(const tessera_encoder& encoder,
                                    const std::vector<std::string>& inputs,
                                    const std::string& output, const tessera_files_options& options,
                                    std::vector<const tessera_encoder*>& encoders);

struct DecodeList {
  std::vector<FilePair> files;
  DecodeJob job;  // without names of files
  std::string folder;
};
Result<DecodeList> plan_decode_list(const std::vector<std::string>& inputs,
                                    const std::string& output, const std::string& type,
                                    const tessera_decode_options* decode_options, int64_t slice,
                                    const tessera_files_options& options);

// Fails where a picture that no earlier run has made lies beside a texture and would be replaced:
// it may be what the texture was made of.
Status check_keeps_pictures(const DecodeList& list, const tessera_files_options& options);

// The checks before work starts, which also make folders.
Status prepare_list(const std::vector<FilePair>& files, const std::string& folder,
                    const tessera_files_options& options);

// What is done about outputs that are there; `index` is made where it is wanted.
KeepingOutputs keeping_outputs(const EncodeList& list, const tessera_files_options& options,
                               std::optional<OutputIndex>& index);
KeepingOutputs keeping_outputs(const DecodeList& list, const tessera_files_options& options,
                               std::optional<OutputIndex>& index);

}  // namespace tessera::api
