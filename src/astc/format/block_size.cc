// Names block sizes.
#include "astc/format/block_size.h"

namespace tessera::astc {

std::string block_size_name(BlockSize size) {
  std::string name = std::to_string(size.x) + "x" + std::to_string(size.y);
  return size.is_3d() ? name + "x" + std::to_string(size.z) : name;
}

}  // namespace tessera::astc
