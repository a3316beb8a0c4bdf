// Standard input, output and error of the process.
#pragma once

namespace tessera {

// Puts /dev/null in the place of each standard stream that is closed. Otherwise the first files
// that the process opens would get their numbers, and what is meant for a terminal would end up in
// them. To be called before any file is opened. False where /dev/null cannot be opened.
bool open_missing_standard_streams();

// Whether standard output was among them, so that what is written there is lost. Texts for people
// may be, files may not.
bool standard_output_was_closed();

inline constexpr const char* kNoStandardStreams =
    "a standard stream is closed and /dev/null cannot be opened in its place";

}  // namespace tessera
