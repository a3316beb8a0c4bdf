// Temporary files that a killed process has left beside its output.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

// Between them are 16 hexadecimal digits, or the mark and such digits.
inline constexpr std::string_view kTemporaryPrefix = ".tessera-";
inline constexpr std::string_view kTemporarySuffix = ".tmp";
// Of files that their process keeps locked, on file systems of this machine: a file without a lock
// has lost its process.
inline constexpr std::string_view kLockedMark = "locked-";

// Before the file has a name with the mark.
void lock_temporary(int fd);

// Removes those in `folder` that belong to this user and that nobody needs any more: with the mark,
// those without a lock; others when they are older than a day, as a process of another machine may
// be writing them. A folder is looked at once, as long as no other one is named.
void remove_old_temporaries(const std::string& folder);

}  // namespace tessera
