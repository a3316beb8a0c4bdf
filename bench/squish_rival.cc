// libsquish (Debian: libsquish-dev), when found at configuration.
#include "block_rival.h"
#include "rivals.h"

#ifdef TESSERA_HAVE_SQUISH
#include <squish.h>
#endif

namespace tessera::bench {

#ifdef TESSERA_HAVE_SQUISH

Contenders make_squish_contenders(const Subject& subject) {
  Contenders contenders;
  if (subject.format != "bc1") {
    return contenders;
  }
  const auto add = [&](const char* setting, int fit) {
    // Block by block, because its whole-image call may start threads of its own.
    contenders.push_back(
        std::make_unique<BlockRival>("squish", setting, [fit](const uint8_t* rgba, uint8_t* block) {
          squish::CompressMasked(rgba, 0xFFFF, block, squish::kDxt1 | fit);
        }));
  };
  add("range", squish::kColourRangeFit);
  add("cluster", squish::kColourClusterFit);
  return contenders;
}

#else

Contenders make_squish_contenders(const Subject&) {
  return {};
}

#endif

}  // namespace tessera::bench
