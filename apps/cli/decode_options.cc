#include "decode_options.h"

namespace tessera::cli {

void add_decode_options(CLI::App& command, std::string& profile, std::string& decode_mode) {
  command.add_option("--profile", profile,
                     "Read textures as ldr, srgb or hdr (default: as the file says; .astc files "
                     "do not say: ldr)");
  command
      .add_option("--decode-mode", decode_mode,
                  "ASTC, ldr: float16 (the standard's default) or unorm8")
      ->capture_default_str();
}

void add_bc1_decoder_option(CLI::App& command, std::string& decoder) {
  command.add_option("--decoder", decoder,
                     "BC1: round as ideal, nvidia or amd decoders do (default: ideal)");
}

Result<DecodeOptions> parse_decode_options(const std::string& profile,
                                           const std::string& decode_mode,
                                           const std::string& bc1_decoder) {
  DecodeOptions options;
  if (!profile.empty()) {
    options.profile = parse_profile(profile);
    if (!options.profile) {
      return usage_error("'" + profile + "' is not a profile (ldr, srgb, hdr)");
    }
  }
  if (decode_mode != "float16" && decode_mode != "unorm8") {
    return usage_error("'" + decode_mode + "' is not a decode mode (float16, unorm8)");
  }
  options.unorm8 = decode_mode == "unorm8";
  TESSERA_ASSIGN_OR_RETURN(options.bc1_rounding, parse_bc1_decoder(bc1_decoder));
  return options;
}

}  // namespace tessera::cli
