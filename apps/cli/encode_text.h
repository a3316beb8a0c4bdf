// What the command says about a file that has been encoded.
#pragma once

#include <string>

#include "files/file_plan.h"
#include "files/file_report.h"
#include "files/file_runner.h"
#include "report_json.h"

namespace tessera::cli {

// `plan` is what was asked for.
Json encode_json(const EncodePlan& plan, const FilePair& file, const FileEncodeReport& report);

// A line for people on standard output, or on standard error where that carries the texture; and a
// note on standard error if the format dropped alpha.
void print_encode_text(const EncodePlan& plan, const FilePair& file, const EncodeReport& report);

// Who made the file, of a run with several ranks.
void add_ranks(Json& object, const FileOutcome<FileEncodeReport>& outcome);

}  // namespace tessera::cli
