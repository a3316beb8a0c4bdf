// Runs the astcenc command and reads its times from what it prints.
#include "astcenc_command.h"

#include <cstdlib>

#include "child_process.h"

namespace tessera::bench {
namespace {

// The number behind a label such as "Coding time:".
Result<double> number_after(const std::string& text, const std::string& label) {
  const size_t at = text.find(label);
  if (at == std::string::npos) {
    return failed_error("astcenc printed no '" + label + "'");
  }
  return std::strtod(text.c_str() + at + label.size(), nullptr);
}

}  // namespace

const char* astcenc_quality(Preset preset) {
  switch (preset) {
    case Preset::kRealtime:
      return "-fastest";
    case Preset::kFast:
      return "-fast";
    case Preset::kMedium:
      return "-medium";
    case Preset::kThorough:
      return "-thorough";
    case Preset::kExhaustive:
      return "-exhaustive";
  }
  return "-medium";
}

Result<double> astcenc_encode(const std::string& picture, const std::string& astc_file,
                              const BlockSize& block, Preset preset) {
  TESSERA_ASSIGN_OR_RETURN(
      const std::string output,
      run_program({"astcenc", "-cl", picture, astc_file, block_size_name(block),
                   astcenc_quality(preset), "-j", "1"}));
  return number_after(output, "Coding time:");
}

Result<double> astcenc_decode(const std::string& astc_file, const std::string& picture) {
  TESSERA_ASSIGN_OR_RETURN(const std::string output,
                           run_program({"astcenc", "-dl", astc_file, picture, "-j", "1"}));
  return number_after(output, "Decoding time:");
}

}  // namespace tessera::bench
