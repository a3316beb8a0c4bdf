// Options of the commands that encode ASTC.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/codec.h"

namespace tessera::cli {

struct AstcEncodeOptions {
  std::optional<float> quality;  // 0…100
  std::string decode_mode = "float16";
  std::string endpoints;
  std::string partitions;
  std::string channel_weights;
  bool alpha_weight = false;
  bool normal_map = false;
};

void add_astc_options(CLI::App& command, AstcEncodeOptions& options);

// Fails where one of them is given for another format than astc.
Result<AstcOptions> parse_astc_options(const AstcEncodeOptions& options, std::string_view format);

// x in red, green and blue, y in alpha.
inline constexpr const char* kNormalMapSwizzle = "rrrg";

}  // namespace tessera::cli
