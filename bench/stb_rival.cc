// stb_dxt (Debian: libstb-dev), compiled in.
#include <cstring>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_DXT_STATIC
#define STB_DXT_IMPLEMENTATION
#include <stb_dxt.h>
#pragma GCC diagnostic pop

#include "block_rival.h"
#include "rivals.h"

namespace tessera::bench {

Contenders make_stb_contenders(const Subject& subject) {
  Contenders contenders;
  if (subject.format != "bc1") {
    return contenders;
  }
  const auto add = [&](const char* setting, int mode) {
    contenders.push_back(std::make_unique<BlockRival>(
        "stb_dxt", setting, [mode](const uint8_t* rgba, uint8_t* block) {
          stb_compress_dxt_block(block, rgba, 0, mode);
        }));
  };
  add("normal", STB_DXT_NORMAL);
  add("high", STB_DXT_HIGHQUAL);
  return contenders;
}

}  // namespace tessera::bench
