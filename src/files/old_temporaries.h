// Temporary files that a killed process has left beside its output.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

// Between them are 16 hexadecimal digits.
inline constexpr std::string_view kTemporaryPrefix = ".tessera-";
inline constexpr std::string_view kTemporarySuffix = ".tmp";

// Removes those in `folder` that belong to this user and are older than a day. A folder is looked
// at once, as long as no other one is named.
void remove_old_temporaries(const std::string& folder);

}  // namespace tessera
