// The main module leaves fractal images to the second one.
#include "absent_codec.h"

namespace tessera {

const Codec& fractal_codec() {
  static const web::AbsentCodec codec(TextureFormat::kFractal);
  return codec;
}

}  // namespace tessera
