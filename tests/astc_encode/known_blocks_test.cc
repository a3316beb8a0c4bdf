// Tests that blocks of one colour and repeated blocks get the bytes that they would get alone.
#include "astc/encode/known_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>

#include "astc/encode/stages.h"
#include "encoding.h"

namespace tessera::astc {
namespace {

constexpr BlockSize kTileSize = {6, 6, 1};

// Tiles of few kinds, so that most blocks are repeated or of one colour.
Image tiles(uint32_t width, uint32_t height) {
  return drawn_rgba(width, height, [](uint32_t x, uint32_t y) {
    const uint32_t tile = (x / kTileSize.width * 7 + y / kTileSize.height * 3) % 5;
    if (tile == 0) {
      return rgba(10, 20, 30, 255);
    }
    const uint32_t detail = (x % kTileSize.width * 31 + y % kTileSize.height * 17) * tile;
    return rgba(detail % 256, detail * 3 % 256, 40 * tile, tile == 4 ? detail % 200 : 255);
  });
}

Image random_picture(uint32_t width, uint32_t height) {
  std::mt19937 random(3);
  return drawn_rgba(width, height, [&](uint32_t, uint32_t) {
    return rgba(random() % 256, random() % 256, random() % 256, 255);
  });
}

struct Loaded {
  explicit Loaded(const Image& image) {
    chunk->start(kTileSize, 1);
    const auto across = (image.info().width + kTileSize.width - 1) / kTileSize.width;
    const auto down = (image.info().height + kTileSize.height - 1) / kTileSize.height;
    for (uint32_t row = 0; row < down; ++row) {
      load_blocks(image.view(), kTileSize, {0, row, 0, across, row * across}, false, *chunk);
    }
    out.resize(size_t{across} * down * kBlockBytes);
    known->start();
  }

  std::unique_ptr<ChunkBuffer<Rgba8Texels>> chunk = std::make_unique<ChunkBuffer<Rgba8Texels>>();
  std::unique_ptr<KnownBlocks> known = std::make_unique<KnownBlocks>();
  Bytes out;
};

TEST(KnownBlocks, LeaveEachDifferentBlockOnceAndInOrder) {
  Loaded loaded(tiles(120, 60));
  loaded.known->take(kTileSize, 0, false, {}, *loaded.chunk, loaded.out.data());
  const size_t varied = loaded.chunk->count;
  EXPECT_EQ(varied, 160u);  // of 200: four in five kinds of tiles
  EXPECT_EQ(loaded.known->constant_texels(), 40.0F * 36);
  loaded.known->take(kTileSize, 0, true, {}, *loaded.chunk, loaded.out.data());
  EXPECT_EQ(loaded.chunk->count, 4u);
  EXPECT_TRUE(std::is_sorted(loaded.chunk->output, loaded.chunk->output + 4));
}

TEST(KnownBlocks, TakeNothingFromNoise) {
  Loaded loaded(random_picture(90, 90));
  loaded.known->take(kTileSize, 0, false, {}, *loaded.chunk, loaded.out.data());
  loaded.known->take(kTileSize, 0, true, {}, *loaded.chunk, loaded.out.data());
  EXPECT_EQ(loaded.chunk->count, 225u);
  EXPECT_EQ(loaded.known->constant_texels(), 0.0F);
}

TEST(KnownBlocks, AreNotFoundInAChunkThatIsGone) {
  Loaded loaded(tiles(60, 60));
  loaded.known->take(kTileSize, 0, false, {}, *loaded.chunk, loaded.out.data());
  loaded.known->take(kTileSize, 0, true, {}, *loaded.chunk, loaded.out.data());
  const size_t different = loaded.chunk->count;
  loaded.known->forget_chunk();
  loaded.known->take(kTileSize, 0, true, {}, *loaded.chunk, loaded.out.data());
  EXPECT_EQ(loaded.chunk->count, different);
}

// Also where the hash does not look.
TEST(KnownBlocks, AreNotTheSameIfOneTexelDiffers) {
  constexpr uint32_t kTexels = 36;
  const Image image = drawn_rgba(6 * (kTexels + 1), 6, [](uint32_t x, uint32_t y) {
    const bool is_other = x / 6 > 0 && x % 6 + 6 * y == x / 6 - 1;
    return rgba(x % 6 * 40, y * 30, 77, is_other ? 254 : 255);
  });
  Loaded loaded(image);
  loaded.known->take(kTileSize, 0, true, {}, *loaded.chunk, loaded.out.data());
  EXPECT_EQ(loaded.chunk->count, kTexels + 1);
}

TEST(KnownBlocks, OfOneColourHaveNoOtherTexel) {
  constexpr uint32_t kTexels = 36;
  const Image image = drawn_rgba(6 * (kTexels + 1), 6, [](uint32_t x, uint32_t y) {
    const bool is_other = x / 6 > 0 && x % 6 + 6 * y == x / 6 - 1;
    return rgba(40, 30, is_other ? 78 : 77, 255);
  });
  Loaded loaded(image);
  loaded.known->take(kTileSize, 0, false, {}, *loaded.chunk, loaded.out.data());
  EXPECT_EQ(loaded.chunk->count, kTexels);
  EXPECT_EQ(loaded.known->constant_texels(), 36.0F);
}

// The last column is cut off at different places, so that equal texels are not equal blocks.
TEST(KnownBlocks, AreTheSameOnlyWithTheSameTexelsInside) {
  Image image = drawn_rgba(15, 12, [](uint32_t x, uint32_t y) {
    return rgba(std::min(x % 6, 2u) * 60, y % 6 * 20, 0, 255);
  });
  Loaded loaded(image);
  loaded.known->take(kTileSize, 0, true, {}, *loaded.chunk, loaded.out.data());
  EXPECT_EQ(loaded.chunk->count, 2u);  // a whole one and one of three columns
}

// Each block as a picture of its own has nothing to repeat.
// Noise, of which half the blocks have no alpha.
Image half_hidden(uint32_t width, uint32_t height) {
  std::mt19937 random(5);
  return drawn_rgba(width, height, [&](uint32_t x, uint32_t) {
    return rgba(random() % 256, random() % 256, random() % 256, x < width / 2 ? 0 : 1);
  });
}

TEST(KnownBlocks, ThatNobodySeesAreTheirMeanWhereColoursCountByAlpha) {
  const Image image = half_hidden(12, 6);
  std::array<uint32_t, 3> means = {};
  for (uint32_t i = 0; i < 36 * 3; ++i) {
    means[i % 3] += image.view().row<uint8_t>(i / 18)[i % 18 / 3 * 4 + i % 3];
  }
  EncodeSettings settings;
  Loaded all(image);
  all.known->take(kTileSize, 0, true, settings, *all.chunk, all.out.data());
  EXPECT_EQ(all.chunk->count, 2u);
  settings.alpha_weight = true;
  Loaded seen(image);
  seen.known->take(kTileSize, 0, true, settings, *seen.chunk, seen.out.data());
  EXPECT_EQ(seen.chunk->count, 1u);
  EXPECT_EQ(seen.known->constant_texels(), 36.0F);
  for (uint32_t c = 0; c < 4; ++c) {  // UNORM16, in the upper half of a void extent
    const uint32_t wanted = c < 3 ? (means[c] + 18) / 36 * 257 : 0;
    EXPECT_EQ(seen.out[8 + 2 * c] | seen.out[9 + 2 * c] << 8, static_cast<int>(wanted));
  }
}

TEST(KnownBlocks, GetTheBytesOfBlocksOnTheirOwn) {
  const Image image = tiles(66, 48);
  for (const Preset preset : {Preset::kRealtime, Preset::kMedium}) {
    const EncodeSettings settings = preset_settings(preset, kTileSize);
    const PictureFacts facts = {20.0F};
    EncodeScratch scratch;
    const auto encode_part = [&](const ImageView& view) {
      Bytes out(size_t{(view.info.width + 5) / 6} * ((view.info.height + 5) / 6) * kBlockBytes);
      encode_rows(view, kTileSize, 0, 0, (view.info.height + 5) / 6, settings, facts, scratch, out);
      return out;
    };
    const Bytes all = encode_part(image.view());
    for (uint32_t y = 0; y < 8; ++y) {
      for (uint32_t x = 0; x < 11; ++x) {
        const Image block = drawn_rgba(6, 6, [&](uint32_t i, uint32_t k) {
          return image.view().row<uint32_t>(6 * y + k, 0)[6 * x + i];
        });
        const Bytes alone = encode_part(block.view());
        ASSERT_TRUE(std::equal(alone.begin(), alone.end(),
                               all.begin() + static_cast<ptrdiff_t>((y * 11 + x) * kBlockBytes)))
            << x << ", " << y;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::astc
