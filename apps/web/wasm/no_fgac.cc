// The modules leave out the method fgac: it is there for study, and browsers have to load what it
// takes.
#include "astc/fgac_codec.h"

namespace tessera {

Result<std::unique_ptr<Encoder>> make_fgac_encoder(const CodecSettings& /*settings*/,
                                                   BlockSize /*block*/) {
  return unsupported_error("the method fgac is not part of this module");
}

}  // namespace tessera
