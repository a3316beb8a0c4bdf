// Any 128 bits as a block of any size and mode: the quick decoder and the plain one must agree, and
// a legal block must survive being packed again.
#include <array>
#include <cstdint>
#include <cstdlib>

#include "astc/decode/decode_image.h"
#include "astc/decode/reference_decode.h"
#include "astc/decode/texel_samples.h"
#include "astc/format/symbolic_block.h"
#include "measured.h"

namespace {

using namespace tessera;
using namespace tessera::astc;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

void check_packing(const Block128& block, BlockSize size, DecodeMode mode,
                   const std::array<Texel, kMaxBlockTexels>& texels) {
  const SymbolicBlock symbolic = unpack_block(block, size);
  if (symbolic.kind == BlockKind::kError) {
    return;
  }
  const auto packed = pack_block(symbolic, size);
  require(packed.ok() && unpack_block(*packed, size) == symbolic);
  std::array<Texel, kMaxBlockTexels> again;
  decode_block(*packed, size, mode, again);
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    require(again[i] == texels[i]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t input_size) {
  if (input_size < 2 + kBlockBytes) {
    return 0;
  }
  const fuzz::Measured measured(input_size);
  const BlockSize size = kBlockSizes[data[0] % kBlockSizeCount];
  const auto mode = static_cast<DecodeMode>(data[1] % 4);
  std::array<Texel, kMaxBlockTexels> texels;
  const Block128 block = load_block(data + 2);
  decode_block(block, size, mode, texels);
  check_packing(block, size, mode, texels);

  ImageInfo info;
  info.width = size.width;
  info.height = size.height;
  info.depth = size.depth;
  const bool is_hdr = mode == DecodeMode::kHdr;
  info.sample = is_hdr ? SampleType::kF16 : SampleType::kU8;
  const auto image = decode_image(ByteSpan(data + 2, kBlockBytes), info, size, mode);
  require(image.ok());
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    const unsigned x = i % size.width, y = i / size.width % size.height,
                   z = i / size.width / size.height;
    for (unsigned c = 0; c < 4; ++c) {
      const uint16_t value = texels[i].rgba[c];
      require(is_hdr ? image->row<uint16_t>(y, z)[x * 4 + c] == to_f16_sample(value, mode)
                     : image->row<uint8_t>(y, z)[x * 4 + c] == to_u8_sample(value, mode));
    }
  }
  return 0;
}
