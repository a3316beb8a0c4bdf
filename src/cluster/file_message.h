// What ranks tell each other about whole files: the report of a file that another rank has made,
// and the file itself where rank 0 writes it.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "files/file_report.h"

namespace tessera::cluster {

inline constexpr uint32_t kFileKind = 2;  // of units

// Bytes of a reply without the file, at most.
inline constexpr uint64_t kMostReportBytes = 1024;

// With `gathered` the file's bytes follow the report.
Bytes write_file_reply(const MadeFile& file, bool gathered);

// The same without trust: kInvalid, naming the rank, when the bytes are not such a reply.
Result<MadeFile> parse_file_reply(ByteSpan bytes, bool gathered, int rank);

}  // namespace tessera::cluster
