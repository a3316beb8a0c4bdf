// The module of fractal images leaves blocks to the main one.
#include "absent_codec.h"

namespace tessera {

const Codec& astc_codec() {
  static const web::AbsentCodec codec(TextureFormat::kAstc);
  return codec;
}

const Codec& bc1_codec() {
  static const web::AbsentCodec codec(TextureFormat::kBc1);
  return codec;
}

}  // namespace tessera
