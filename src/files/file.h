// Whole files in and out. "-" is standard input or output. An output file gets its name only when
// it is complete, so that a crash, a full disk or a failed encode never leaves half a file or
// damages an old one.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace tessera {

inline constexpr const char* kStandardStream = "-";

// How a file is called in messages: its path, or "standard input".
std::string input_display_name(const std::string& path);

Result<Bytes> read_file(const std::string& path);

// Whether write_file could work: the folder exists and is writable, the name is no folder.
Status check_writable(const std::string& path);

// Writes to an unnamed temporary file in the same folder and renames it. What already exists and is
// no regular file (a device, a pipe) is written to directly.
Status write_file(const std::string& path, ByteSpan bytes);

}  // namespace tessera
