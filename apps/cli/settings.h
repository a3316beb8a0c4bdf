// Settings of encoding by the names of the command's options, wherever they come from: the command
// line, or a file of rules.
#pragma once

#include <string>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::cli {

// Sets the option of this name: "block", "mips" or one that only some formats know. Flags take
// "true" or "false". A preset and a quality take each other's place. Fails on names that are none
// of an option; the value is the library's to check.
Status set_by_name(const std::string& name, const std::string& value, EncodeOptions& options);

// What `given` says takes the place of what `options` say.
void set_given(const EncodeOptions& given, EncodeOptions& options);

// All of it in one text: equal where the options are.
std::string text_of(const EncodeOptions& options);

// The names that set_by_name knows.
std::vector<std::string> setting_names();

// Fails where an option has no effect: the filter of mip levels without mip levels, the effort of
// zstd without zstd, a header of .dds files in another `container`.
Status check_has_effect(const EncodeOptions& options, const std::string& container);

}  // namespace tessera::cli
