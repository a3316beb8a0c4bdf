// The astcenc command (Debian: astcenc), run as a process. Times are its own: coding or decoding
// alone, without start-up and files. The command uses this, too: it needs the standard library
// only.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "child_process.h"

namespace tessera::bench {

struct AstcencSettings {
  std::string block = "6x6";
  std::string quality = "-medium";
  bool is_srgb = false;
  uint32_t threads = 1;
  std::chrono::milliseconds limit = kNoLimit;
};

struct AstcencRun {
  ProgramEnd end = ProgramEnd::kFailed;
  std::string problem;  // unless it is done
  double seconds = 0;
};

// "-fastest" for "realtime", "-medium" for "medium".
std::string astcenc_quality(std::string_view preset);

AstcencRun astcenc_encode(const std::string& picture, const std::string& astc_file,
                          const AstcencSettings& settings);
AstcencRun astcenc_decode(const std::string& astc_file, const std::string& picture);

// The same with files in memory: a PNG file becomes an .astc file.
AstcencRun astcenc_encode_png(std::span<const uint8_t> png, const AstcencSettings& settings,
                              std::vector<uint8_t>& astc);

// "4.2.0"; "" where it cannot be run.
std::string astcenc_version();

}  // namespace tessera::bench
