// The options of the BC1 encoder, for all verbs that encode.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "base/result.h"
#include "codec/bc1_options.h"
#include "codec/codec.h"

namespace tessera::cli {

struct Bc1Flags {
  Bc1Options options;
  bool three_colors = false;
  bool punch_through = false;
  uint32_t alpha_threshold = 128;
  CLI::Option* threshold_option = nullptr;
};

void add_bc1_flags(CLI::App& command, Bc1Flags& flags);

// What the flags say; refuses them for other formats.
Result<Bc1Options> read_bc1_flags(const Bc1Flags& flags, const Codec& codec);

}  // namespace tessera::cli
