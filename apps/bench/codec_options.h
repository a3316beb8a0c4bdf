// Options of the formats, as the formats publish them.
#pragma once

#include <CLI/CLI.hpp>

#include "codec/registry.h"

namespace tessera::cli {

// Adds the options of encoding of every format of `kind` (all: nullopt) that the command does not
// have yet. What is typed goes to `list`.
void add_encode_options(CLI::App& command, std::optional<PayloadKind> kind, OptionList& list);

// How compressed textures are read: the profile, and the formats' options of decoding.
struct TypedDecodeOptions {
  std::string profile;  // empty: as the file says
  OptionList options;
};
void add_decode_options(CLI::App& command, TypedDecodeOptions& typed);
Result<DecodeOptions> parse_decode_options(const TypedDecodeOptions& typed);

}  // namespace tessera::cli
