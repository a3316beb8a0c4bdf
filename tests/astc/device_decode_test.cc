// What a thread of a device does with a block, run on the host, against the plain decoder.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "astc/cuda/decode_block-inl.h"
#include "astc/cuda/decode_tables.h"
#include "astc/decode/reference_decode.h"
#include "astc/decode/texel_samples.h"
#include "random_blocks.h"

namespace tessera::astc {
namespace {

// What a thread has: less for blocks of 4x4. It holds what other blocks have left there.
struct Memory {
  explicit Memory(BlockSize size)
      : words((size.texel_count() == 16 ? 2 * 16 : kMaxWeights) / 4 + device::kSpareWords,
              0xA5C3F00Fu) {}

  std::vector<uint32_t> words;
  std::array<device::Channels, 2 * kMaxPartitions> lines{};
};

// Fails where a thread would reach for more than it has.
struct CheckedStorage {
  Memory* memory;

  uint32_t& word(uint32_t i) { return memory->words.at(i); }
  device::Channels& line(uint32_t i) { return memory->lines.at(i); }
};

void expect_same_texels(const Block128& block, BlockSize size, DecodeMode mode,
                        const DecodeTables& tables, const std::vector<uint32_t>& patterns) {
  std::array<Texel, kMaxBlockTexels> expected;
  decode_block(block, size, mode, expected);
  const DecodeShape shape = decode_shape(size);
  Memory memory(size);
  CheckedStorage storage = {&memory};
  const device::Unpacked unpacked =
      device::unpack_block(block, tables.modes, tables.read, shape, patterns.data(), mode, storage);
  for (uint32_t y = 0; y < size.height; ++y) {
    std::array<uint32_t, 12> row{};  // as wide as blocks are
    const auto put = [&](uint32_t x, uint32_t texel) { row.at(x) = texel; };
    device::with_width(size.width, [&](auto width) {
      device::decode_row<width()>(unpacked, shape, y, mode, storage, put);
    });
    for (uint32_t x = 0; x < size.width; ++x) {
      const uint32_t texel = row[x];
      for (unsigned channel = 0; channel < 4; ++channel) {
        ASSERT_EQ((texel >> (8 * channel)) & 0xFF,
                  to_u8_sample(expected[y * size.width + x].rgba[channel], mode))
            << block_size_name(size) << ", block " << std::hex << block.high << block.low
            << ", mode " << static_cast<int>(mode) << ", texel " << x << ", " << y << ", channel "
            << channel;
      }
    }
  }
}

TEST(DeviceDecode, GivesTheTexelsOfThePlainDecoder) {
  for (const BlockSize size : kBlockSizes) {
    if (size.is_3d()) {
      continue;
    }
    const DecodeTables tables = make_decode_tables(size);
    const std::vector<uint32_t> patterns = make_decode_patterns(size);
    Random random(size.texel_count());
    for (unsigned i = 0; i < 6000; ++i) {
      const Block128 block = random_mixed_block(random, size);
      for (const DecodeMode mode :
           {DecodeMode::kLdrFloat16, DecodeMode::kLdrUnorm8, DecodeMode::kSrgb}) {
        expect_same_texels(block, size, mode, tables, patterns);
        if (HasFatalFailure()) {
          return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::astc
