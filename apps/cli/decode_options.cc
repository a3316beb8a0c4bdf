// Options that say how textures and fractal images are read.
#include "decode_options.h"

#include "format_options.h"

namespace tessera::cli {

void add_decode_options(CLI::App& command, DecodeOptions& options) {
  command
      .add_option("--profile", options.profile,
                  "Read textures as ldr, srgb or hdr (default: as the file says; .astc files do "
                  "not say: ldr)")
      ->check(not_empty());
  command.add_flag("--normal", options.normal_map,
                   "The texture is a normal map with x in red and y in alpha, as encode --normal "
                   "makes it: z is rebuilt");
  add_format_options(command, decode_option_list(), options.options);
}

}  // namespace tessera::cli
