// Whole files in and out. "-" is standard input or output. An output file gets its name only when
// it is complete, so that a crash, a full disk or a failed encode never leaves half a file or
// damages an old one.
#pragma once

#include <atomic>
#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"

namespace tessera {

inline constexpr const char* kStandardStream = "-";

// How a file is called in messages: its path, or "standard input".
std::string input_display_name(const std::string& path);

// All bytes; the beginning alone where `is_known`, if there is one, does not know it: what comes
// without end need not be read to the limit when nothing can be made of it.
Result<Bytes> read_file(const std::string& path, const ReadBudget& budget = {},
                        bool (*is_known)(ByteSpan head) = nullptr);

// All bytes of a list or a table of ours, at most `most` of them (Limits::max_table): what is made
// of them takes far more memory. `what` is one of them, such as "a list of files".
Result<Bytes> read_table(const std::string& path, const std::string& what, uint64_t most,
                         const std::atomic<bool>* cancelled);

// Whether write_file could work: the folder exists and is writable, the name is no folder.
Status check_writable(const std::string& path);

// Whether a file must outlive a loss of power, which takes the disk's time.
enum class WriteDurability : uint8_t { kUsual, kSynced };

// Writes to an unnamed temporary file in the same folder and gives it its name. What already exists
// and is no regular file (a device, a pipe) is written to directly. A symbolic link is followed,
// whether there is a file at its end or not yet.
Status write_file(const std::string& path, ByteSpan bytes,
                  WriteDurability durability = WriteDurability::kUsual);

}  // namespace tessera
