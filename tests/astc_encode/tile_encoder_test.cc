// Tests the tile encoder: the same bytes, no allocation, any number of threads.
#include "astc/encode/tile_encoder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "encoding.h"

// Counts what this program allocates while `counting` is set.
namespace {
std::atomic<bool> counting = false;
std::atomic<int> allocations = 0;

void* counted_or_null(size_t bytes, size_t alignment) noexcept {
  if (counting) {
    ++allocations;
  }
  return alignment > alignof(std::max_align_t)
             ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
             : std::malloc(bytes == 0 ? 1 : bytes);
}

void* counted(size_t bytes, size_t alignment) {
  void* const memory = counted_or_null(bytes, alignment);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

// Not inlined: g++ would see memory of `new` in std::free where it inlines one of the two alone.
[[gnu::noinline]] void give_back(void* memory) noexcept {
  std::free(memory);
}
}  // namespace

void* operator new(size_t bytes) {
  return counted(bytes, 0);
}
void* operator new[](size_t bytes) {
  return counted(bytes, 0);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<size_t>(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<size_t>(alignment));
}
// std::stable_sort takes its buffer this way.
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return counted_or_null(bytes, 0);
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return counted_or_null(bytes, 0);
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete[](void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, size_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}

namespace tessera::astc {
namespace {

Tile tile_of(const ImageView& view, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  return {view.row<uint8_t>(y) + size_t{4} * x, view.row_stride, width, height};
}

TEST(TileEncoder, GivesTheBytesOfThePictureOfThatRectangle) {
  const Image picture = synthetic_rgba(SyntheticKind::kSprite, 200, 130, 3);
  for (const BlockSize size : {BlockSize{4, 4, 1}, BlockSize{6, 5, 1}, BlockSize{12, 12, 1}}) {
    const EncodeSettings settings = preset_settings(Preset::kFast, size);
    TileEncoder encoder(size, settings, 1);
    for (const auto& [x, y, width, height] : {std::array<uint32_t, 4>{0, 0, 200, 130},
                                              {13, 7, 64, 64},
                                              {199, 129, 1, 1},
                                              {3, 100, 97, 29}}) {
      Bytes blocks(tile_bytes(width, height, size));
      ASSERT_TRUE(encoder.encode(tile_of(picture.view(), x, y, width, height), blocks));
      ImageView part = picture.view();
      part.data += y * part.row_stride + size_t{4} * x;
      part.info.width = width;
      part.info.height = height;
      EXPECT_EQ(blocks, encode(part, size, settings));
    }
  }
}

TEST(TileEncoder, DoesNotAllocateOnceMade) {
  const Image picture = synthetic_rgba(SyntheticKind::kPhoto, 256, 256, 3);
  for (const Preset preset : {Preset::kRealtime, Preset::kMedium}) {
    const BlockSize size = {8, 8, 1};
    TileEncoder encoder(size, preset_settings(preset, size), 2);
    Bytes blocks(tile_bytes(256, 256, size));
    const Tile tile = tile_of(picture.view(), 0, 0, 256, 256);
    allocations = 0;
    counting = true;
    const bool done = encoder.encode(tile, blocks).ok();
    counting = false;
    EXPECT_TRUE(done);
    EXPECT_EQ(allocations, 0) << preset_name(preset);
  }
}

TEST(TileEncoder, ManyThreadsShareIt) {
  const Image picture = synthetic_rgba(SyntheticKind::kInterface, 256, 256, 3);
  const BlockSize size = {5, 5, 1};
  TileEncoder encoder(size, preset_settings(Preset::kRealtime, size), 2);
  const Tile tile = tile_of(picture.view(), 0, 0, 256, 256);
  Bytes expected(tile_bytes(256, 256, size));
  ASSERT_TRUE(encoder.encode(tile, expected));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 5; ++i) {
    threads.emplace_back([&] {
      for (unsigned round = 0; round < 4; ++round) {
        Bytes blocks(expected.size());
        wrong += !encoder.encode(tile, blocks).ok() || blocks != expected;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST(TileEncoder, RefusesWhatCannotBeATile) {
  const BlockSize size = {4, 4, 1};
  TileEncoder encoder(size, preset_settings(Preset::kRealtime, size), 1);
  std::vector<uint8_t> texels(64, 1);
  Bytes block(16);
  EXPECT_TRUE(encoder.encode({texels.data(), 16, 4, 4}, block));
  EXPECT_FALSE(encoder.encode({nullptr, 16, 4, 4}, block));
  EXPECT_FALSE(encoder.encode({texels.data(), 16, 0, 4}, block));
  EXPECT_FALSE(encoder.encode({texels.data(), 16, 4, 0}, block));
  EXPECT_FALSE(encoder.encode({texels.data(), 15, 4, 4}, block));
  Bytes long_out(32);
  EXPECT_FALSE(encoder.encode({texels.data(), 16, 4, 4}, long_out));
  EXPECT_FALSE(encoder.encode({texels.data(), 16, 4, 4}, std::span(block).first(15)));
}

}  // namespace
}  // namespace tessera::astc
